import { PassThrough } from 'node:stream';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { LOG_LEVELS } from '../../src/base/log';
import { runCli } from '../../src/cli/runCli';
import { tempDir } from '../support/tempDir';

interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: string[]): Promise<Outcome> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exitCode = await runCli(args, { stdin, stdout, stderr });
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('the command line', () => {
  it('prints its version', async () => {
    expect(await run('--version')).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('prints help that names every subcommand', async () => {
    expect(await run('--help')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Usage: exec-sessions .*^ {2}mcp /ms),
      stderr: '',
    });
  });

  it('prints the help of a subcommand, with every option and the levels of the log', async () => {
    const { exitCode, stdout } = await run('mcp', '--help');

    expect({ exitCode, options: [...stdout.matchAll(/--[\w-]+/g)].map(([option]) => option) }).toEqual({
      exitCode: 0,
      options: ['--attach', '--environments', '--server', '--cwd', '--shell', '--redact-secrets', '--log-level', '--help'],
    });
    expect(stdout).toContain(LOG_LEVELS.join(', '));
  });

  it.each([
    [[], 'a subcommand is missing'],
    [['serve'], "unknown subcommand 'serve'; the subcommands are mcp, exec-server"],
    [['--verbose'], "unknown option '--verbose'; the subcommands are mcp, exec-server"],
    [['mcp', '--prot', '5'], "Unknown option '--prot'"],
    [['mcp', 'extra'], "Unexpected argument 'extra'"],
    [['mcp', '--server', 'x', '--attach', 'auto'], '--server: with --attach auto there may be no window'],
    [['mcp', '--cwd'], "Option '--cwd <value>' argument missing"],
    [
      ['mcp', '--log-level', 'loud'],
      '--log-level: unknown level "loud"; choose one of trace, debug, info, warn, error, off',
    ],
    [['mcp', '--attach', 'maybe'], '--attach: unknown mode "maybe"; choose one of never, auto, require'],
    [['exec-server', '--listen', 'unix:///socket'], '--listen: "unix:///socket" is neither ws://IP:PORT nor stdio'],
    [['exec-server', '--listen', 'ws://localhost:1'], '--listen: "ws://localhost:1" is neither ws://IP:PORT nor stdio'],
    [['exec-server', '--listen', 'ws://127.0.0.1'], '--listen: "ws://127.0.0.1" is neither ws://IP:PORT nor stdio'],
    [
      ['exec-server', '--listen', 'ws://127.0.0.1:1/path'],
      '--listen: "ws://127.0.0.1:1/path" is neither ws://IP:PORT nor stdio',
    ],
    [['exec-server', '--listen', 'ws://0.0.0.0:1'], '--listen: 0.0.0.0 can be reached from other machines'],
    [['exec-server', '--listen', 'ws://[::]:1'], '--listen: :: can be reached from other machines'],
    [['exec-server', '--ws-auth', 'password'], '--ws-auth: unknown method "password"; choose one of capability-token'],
    [['exec-server', '--ws-auth', 'capability-token'], '--ws-auth capability-token needs one of --ws-token-file and'],
    [['exec-server', '--ws-token-file', '/token'], '--ws-token-file and --ws-token-sha256 need --ws-auth capability-token'],
    [
      ['exec-server', '--ws-auth', 'capability-token', '--ws-token-sha256', 'abc'],
      '--ws-token-sha256: give 64 hexadecimal digits',
    ],
    [
      ['exec-server', '--ws-auth', 'capability-token', '--ws-token-file', 'token'],
      '--ws-token-file: "token" is not an absolute path',
    ],
    [['exec-server', '--ws-auth', 'capability-token', '--ws-token-file', '/no/such'], '--ws-token-file: ENOENT'],
    [['exec-server', '--concurrent-requests', '0'], '--concurrent-requests: "0" is not a whole number from 1'],
    [['policy'], 'policy: an action is missing; it can check'],
    [['policy', 'test', '--', 'ls'], "policy: unknown action 'test'; it can check"],
    [['policy', 'check'], 'policy check: give the command after --'],
    [['policy', 'check', 'ls'], 'policy check: give the command after --'],
    [
      ['policy', 'check', '--unmatched', 'deny', '--', 'ls'],
      '--unmatched: unknown decision "deny"; choose one of allow, prompt',
    ],
    [['mcp', '--cwd', '/no/such/folder'], '--cwd: "/no/such/folder" is not a folder'],
  ])('refuses %j in one sentence on the error output, with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);

    expect({ exitCode, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ exitCode: 2, stdout: '', lines: 1 });
    expect(stderr).toContain(`exec-sessions: ${message}`);
    expect(stderr).toMatch(/\. Try exec-sessions --help\n$/);
  });

  it('refuses a file where a folder is wanted', async () => {
    const file = path.join(tempDir(), 'file');

    expect((await run('mcp', '--cwd', file)).exitCode).toBe(2);
  });
});
