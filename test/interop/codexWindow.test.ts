/** The real codex, connected to a window as a user connects it: what it runs are sessions of the window. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/session/session';
import type { SessionManager } from '../../src/session/sessionManager';
import { connectionOf } from '../../src/vscode/agents/agents';
import { writeLauncher } from '../../src/vscode/agents/launcher';
import { cliPath } from '../support/builtCli';
import { createManager } from '../support/startSession';
import { startWindow, windowEnvironment } from '../support/startWindow';
import { tempDir } from '../support/tempDir';
import { done, exec, withoutTimes, write } from './support/codexSteps';
import { type CodexOptions, type CodexRun, runCodex } from './support/runCodex';
import type { ModelStep } from './support/scriptedResponses';

let folder: string;
let runtimeFolder: string;
/** What the window writes for Codex. */
let environments: string;

beforeEach(() => {
  expect(existsSync(cliPath)).toBe(true);
  folder = tempDir();
  runtimeFolder = path.join(tempDir(), 'run');
  const launcher = writeLauncher({
    folder: tempDir(),
    runtime: process.execPath,
    commandLine: cliPath,
    runtimeFolder,
  });
  const connection = connectionOf('codexExecServer', { launcher, folder, isDefault: true, env: {} });
  const change = connection.kind === 'file' ? connection.change('') : undefined;
  environments = change !== undefined && 'text' in change ? change.text : '';
});

async function openWindow(): Promise<SessionManager> {
  const manager = createManager({ isAttended: true });
  await startWindow({ env: windowEnvironment(runtimeFolder), folders: [folder], manager });
  return manager;
}

const run = (steps: readonly ModelStep[], options: CodexOptions = {}): Promise<CodexRun> =>
  runCodex([...steps, done], { environments, folder, ...options });

describe.skipIf(process.platform !== 'linux')('codex in a window', () => {
  it('runs a command without a terminal as a session of the window', async () => {
    const manager = await openWindow();

    const { exitCode, toolReplies } = await run([exec('pwd; echo oops >&2; exit 3', { yield_time_ms: 10_000 })]);

    expect([exitCode, ...toolReplies.map(withoutTimes)]).toEqual([
      0,
      `Process exited with code 3\nOutput:\n${folder}\noops\n`,
    ]);
    const [session, ...others] = manager.list();
    expect(others).toEqual([]);
    expect(session!.info).toMatchObject({
      title: 'pwd; echo oops >&2; exit 3',
      shell: '/bin/bash',
      isLogin: true,
      cwd: folder,
      isTerminal: false,
      startedBy: 'codex',
    });
    expect(session!.state).toMatchObject({ reason: 'exited', status: { kind: 'code', code: 3 } });
    expect(session!.recentText(1_000)).toBe(`${folder}\noops\n`);
  });

  it('types into a terminal of the window', async () => {
    const manager = await openWindow();

    const { toolReplies } = await run([
      exec('read -p "name? " x; echo "got $x"', { tty: true, yield_time_ms: 1_000 }),
      write('abc\n', { yield_time_ms: 5_000 }),
    ]);

    expect(toolReplies.map(withoutTimes)).toEqual([
      'Process running with session ID #\nOutput:\nname? ',
      'Process exited with code 0\nOutput:\nabc\ngot abc\n',
    ]);
    expect(manager.list()[0]!.recentText(1_000)).toBe('name? abc\ngot abc\n');
  });

  it('gets every byte of an output that is larger than what it keeps', async () => {
    const manager = await openWindow();

    const { toolReplies } = await run([exec('seq 1 400000; exit 4', { yield_time_ms: 30_000, max_output_tokens: 20 })]);

    // What it counts and leaves out: half a mebibyte at each end is kept.
    const bytes = Array.from({ length: 400_000 }, (_, index) => `${String(index + 1)}\n`).join('').length;
    expect(toolReplies[0]).toContain(`... ${String(bytes - 1_024 * 1_024)} bytes omitted ...`);
    expect(toolReplies[0]).toContain('399999\n400000\n');
    expect(manager.list()[0]!.transcript.log.totalBytes).toBe(bytes);
  });

  it.each([
    [
      'that the user has taken over',
      'read -p "go? " x; echo "got $x"',
      (session: Session) => session.takeOver(),
      'taken over',
    ],
    ['that asks for a password', 'read -s -p "go? " x; echo "got $x"', () => undefined, 'Only the user types that'],
  ])('is told when it types into a terminal %s, and keeps its program', async (_title, command, act, reason) => {
    const manager = await openWindow();
    manager.onDidAdd(act);

    const steps = [
      exec(command, { tty: true, yield_time_ms: 1_000 }),
      write('abc\n', { yield_time_ms: 1_000 }),
      // It waits at least 5 s when it sends nothing, unless the program ends.
      write('', { yield_time_ms: 20_000 }),
    ];
    const { toolReplies } = await run(steps, {
      onReplies: ({ length }) => {
        if (length === 2) void manager.list()[0]!.write(Buffer.from('mine\n'), 'user');
      },
    });

    expect(toolReplies.map(withoutTimes)).toEqual([
      'Process running with session ID #\nOutput:\ngo? ',
      expect.stringMatching(/^Process running with session ID #\nOutput:\n\n\[exec-sessions\] Nothing was sent: /),
      expect.stringMatching(/^Process exited with code 0\nOutput:\n(?:mine)?\n?got mine\n$/),
    ]);
    expect(toolReplies[1]).toContain(reason);
  });

  it('applies its patches to the files that the window has open', async () => {
    await openWindow();
    const patch = '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n';

    const { toolReplies } = await run([exec(`apply_patch <<'P'\n${patch}P`, { yield_time_ms: 5_000 }), exec('cat new.txt')]);

    expect(toolReplies[0]).toContain('Success. Updated the following files:\nA new.txt\n');
    expect(toolReplies.slice(1).map(withoutTimes)).toEqual(['Process exited with code 0\nOutput:\nhello\n']);
  });

  it('runs commands by itself where no window has its folder open', async () => {
    const { toolReplies } = await run([exec('ps -o args= -p $PPID', { yield_time_ms: 5_000 })]);

    expect(toolReplies.map(withoutTimes)).toEqual([expect.stringMatching(/\/codex exec /)]);
  });

  it('is told what is lost when its window goes, and goes on in the next one', async () => {
    const first = createManager({ isAttended: true });
    const { host } = await startWindow({ env: windowEnvironment(runtimeFolder), folders: [folder], manager: first });
    first.onDidAdd(({ info }) => {
      if (info.command === 'echo begun; sleep 300') setTimeout(() => void host.close(), 500);
    });
    let second: SessionManager | undefined;

    const steps = [
      exec('echo before'),
      exec('echo begun; sleep 300', { yield_time_ms: 20_000 }),
      exec('echo after'),
      exec('read x; echo "got $x"', { tty: true, yield_time_ms: 500 }),
      write('abc\n', { yield_time_ms: 5_000 }),
    ];
    const { toolReplies } = await run(steps, {
      onReplies: async ({ length }) => {
        if (length === 2) second = await openWindow();
      },
    });

    expect(toolReplies.map(withoutTimes)).toEqual([
      'Process exited with code 0\nOutput:\nbefore\n',
      expect.stringMatching(
        /^Process exited with code -1\nOutput:\nbegun\n\n\[exec-sessions\] The VS Code window .* reloaded\.\n$/,
      ),
      'Process exited with code 0\nOutput:\nafter\n',
      'Process running with session ID #\nOutput:\n',
      'Process exited with code 0\nOutput:\nabc\ngot abc\n',
    ]);
    expect(second!.list().map(({ info }) => info.command)).toEqual(['echo after', 'read x; echo "got $x"']);
  });
});
