import { mkdirSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { runCli } from '../../src/cli/runCli';
import { tempDir } from '../support/tempDir';

let home: string;
let workspace: string;

beforeEach(() => {
  [home, workspace] = [tempDir(), tempDir()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('CODEX_HOME', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
  vi.spyOn(process, 'cwd').mockReturnValue(workspace);
  return () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  };
});

function write(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function check(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exitCode = await runCli(['policy', 'check', ...args], { stdin, stdout, stderr });
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

it('prints what the rules of a file say, and what is said of the commands within', async () => {
  const rules = write(workspace, 'a.rules', 'prefix_rule(["rm"], "forbidden", justification = "use the trash")');

  const { exitCode, stdout, stderr } = await check('--rules', rules, '--', 'bash', '-lc', 'ls; rm x');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    matchedRules: [],
    verdict: { decision: 'forbidden', reason: `\`rm x\` is forbidden by a rule (${rules}:1:1): use the trash` },
  });
});

it('reads the rules of Codex, our own and those of the folder, which may only be strict until they are trusted', async () => {
  write(home, '.codex/rules/default.rules', 'prefix_rule(["a"])');
  write(home, '.config/exec-sessions/rules/user.rules', 'prefix_rule(["b"])');
  write(workspace, '.codex/rules/x.rules', 'prefix_rule(["b"], "prompt")\nprefix_rule(["c"])');
  write(workspace, '.exec-sessions/rules/x.rules', 'prefix_rule(["a"], "forbidden")\nprefix_rule(["c"])');
  const decisions = async (...args: string[]): Promise<string[]> => {
    const outputs = await Promise.all(
      ['a', 'b', 'c'].map((command) => check(...args, '--unmatched', 'prompt', '--', command)),
    );
    return outputs.map(({ stdout }) => JSON.parse(stdout).verdict.decision);
  };

  expect(await decisions()).toEqual(['forbidden', 'prompt', 'prompt']);
  expect(await decisions('--trust-workspace')).toEqual(['forbidden', 'prompt', 'allow']);
});

it('says of everything that it needs to be approved while a file that it found has an error', async () => {
  const file = write(workspace, '.codex/rules/x.rules', 'prefix_rule(["ls"], "no")');

  const { exitCode, stdout } = await check('--', 'ls');

  expect({ exitCode, reason: JSON.parse(stdout).verdict.reason }).toEqual({
    exitCode: 0,
    reason: `a file of rules has an error, so everything needs to be approved (${file}:1:1: invalid decision: no)`,
  });
});

it('fails with each error and its place in a file that it was given', async () => {
  const file = write(workspace, 'a.rules', 'prefix_rule(["git"],\n  match = ["gti"],\n  not_match = ["git x"])');

  expect(await check('--rules', file, '--rules', '/no/such/file', '--', 'ls')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      `${file}:3:16: example-did-match: expected example to not match the rule: git x\n` +
      `${file}:2:12: example-did-not-match: expected every example to match the rule; unmatched example: gti\n` +
      "/no/such/file:1:1: unreadable: ENOENT: no such file or directory, stat '/no/such/file'\n",
  });
});

it('takes everything after the dashes for the command, also what looks like its own options', async () => {
  const { exitCode, stdout } = await check('--', 'git', '--help', '--pretty', '--', 'x');

  expect({ exitCode, lines: stdout.trimEnd().split('\n').length }).toEqual({ exitCode: 0, lines: 1 });
  expect(JSON.parse(stdout).verdict.parts[0].command).toEqual(['git', '--help', '--pretty', '--', 'x']);
});
