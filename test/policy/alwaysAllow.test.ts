import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { alwaysAllow } from '../../src/policy/alwaysAllow';
import { ExecPolicy } from '../../src/policy/execPolicy';
import { readRuleSet } from '../../src/policy/rules/ruleSet';
import { tempDir } from '../support/tempDir';

function decisionOf(argv: readonly string[], file: string): string {
  const rules = readRuleSet([{ file, text: readFileSync(file, 'utf8') }], '/home/user');
  return new ExecPolicy({ rules, unmatched: 'prompt' }).decide({ argv }).decision;
}

it('adds a rule to a file for the user alone, which then allows the command', async () => {
  const file = path.join(tempDir(), 'new', 'folder', 'user.rules');
  const prefix = ['npm', 'run', 'a "quoted" \\ word\nand ☃'];

  expect(await alwaysAllow(prefix, file)).toEqual({
    kind: 'added',
    rule: 'prefix_rule(pattern = ["npm", "run", "a \\"quoted\\" \\\\ word\\nand ☃"], decision = "allow")',
  });
  expect([decisionOf([...prefix, 'x'], file), decisionOf(['npm', 'run'], file)]).toEqual(['allow', 'prompt']);
  expect([file, path.dirname(file)].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o700]);
});

it('keeps what the file says, its links, and adds nothing twice', async () => {
  const folder = tempDir();
  const [target, file] = [path.join(folder, 'target.rules'), path.join(folder, 'user.rules')];
  writeFileSync(target, '# mine\nprefix_rule(["ls"], "allow")');
  symlinkSync(target, file);

  expect(await alwaysAllow(['ls'], file)).toEqual({ kind: 'present' });
  expect(await alwaysAllow(['cat'], file)).toMatchObject({ kind: 'added' });
  expect(await alwaysAllow(['cat'], file)).toEqual({ kind: 'present' });
  expect(readFileSync(target, 'utf8')).toBe(
    '# mine\nprefix_rule(["ls"], "allow")\nprefix_rule(pattern = ["cat"], decision = "allow")\n',
  );
});

it('loses none of the rules that are added at once', async () => {
  const file = path.join(tempDir(), 'user.rules');
  const names = Array.from({ length: 50 }, (_, count) => `program${count}`);

  await Promise.all(names.map((name) => alwaysAllow([name], file)));

  expect(names.filter((name) => decisionOf([name], file) !== 'allow')).toEqual([]);
});

it.each([
  [[], 'it names no program'],
  [['bash'], 'it would allow everything that `bash` can run'],
  [['/bin/bash', '-lc'], 'it would allow everything that `bash` can run'],
  [['sudo', '-E'], 'it would allow everything that `sudo` can run'],
  [['python3', '-c'], 'it would allow everything that `python3` can run'],
  [['env'], 'it would allow everything that `env` can run'],
  [['ls', 'a\u0007'], 'it has control characters'],
])('makes no rule of %j', async (prefix, reason) => {
  const file = path.join(tempDir(), 'user.rules');

  expect(await alwaysAllow(prefix, file)).toEqual({ kind: 'refused', reason: `no rule is made of it: ${reason}` });
});

it('adds nothing to a file with an error, where it would not count', async () => {
  const folder = tempDir();
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'user.rules');
  writeFileSync(file, 'prefix_rule(["ls"');

  expect(await alwaysAllow(['cat'], file)).toEqual({
    kind: 'refused',
    reason: expect.stringMatching(/user\.rules:1:18 has an error: Parse error/),
  });
  expect(readFileSync(file, 'utf8')).toBe('prefix_rule(["ls"');
});
