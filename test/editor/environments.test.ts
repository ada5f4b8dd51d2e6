/** Commands on another machine: here one that a program leads to, as `ssh` would. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, callTool, execCommand, focusSession, setSetting, terminalNames } from './agent';
import { cliPath } from '../support/builtCli';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { listProcesses } from '../../src/process/processMembers';
import { hasSshd, startSshHost } from '../support/sshHost';
import { until } from '../support/until';
import { SessionList } from './support/sessionList';

const BOX = {
  id: 'box',
  label: 'the build box',
  program: process.execPath,
  args: [cliPath, 'exec-server', '--listen', 'stdio'],
  cwd: '/usr',
  env: { THERE: 'of the box' },
};

const TIMEOUT_MS = 20_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

it('runs where the setting says as soon as it is made, in a tab and a row that name the environment', async () => {
  await setSetting(host, 'environments', [BOX]);

  const there = await execCommand(host, 'echo "$THERE"; pwd', { environment_id: 'box', login: false });
  const here = await execCommand(host, 'echo "[$THERE]"', { login: false });
  const waiting = await execCommand(host, 'read -p "name? " x; echo "got $x"', { environment_id: 'box', title: 'asks' });

  expect(there).toMatchObject({ output: 'of the box\n/usr\n', environmentId: 'box', exitCode: 0 });
  expect(here.output).toBe('[]\n');
  expect(waiting.isRunning).toBe(true);
  await expect.poll(() => terminalNames(host)).toContain('asks on box');
  const list = new SessionList(host.window.page);
  await list.enlarge();
  await list.row('asks', /· box$/).waitFor();
  await host.window.screenshot('environment');
});

it('takes what the user types to the other machine', async () => {
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.pick('box');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.typeInTerminal('echo "<$THERE>"\n');

  await host.window.waitForTerminalText(/^<of the box>$/m);
  expect(await terminalNames(host)).toContain('Shared Shell on box');
});

it('tells an agent which environments there are when it names another', async () => {
  await expect(callTool(host, 'exec_command', { cmd: 'true', environment_id: 'other' })).rejects.toThrow(
    'There is no environment "other". The environments are local, box',
  );
});

it.skipIf(!hasSshd)(
  'shows a session behind ssh as a tab, and tells tab and agent when ssh is lost in mid-output',
  async () => {
    const [program, ...args] = await startSshHost();
    await setSetting(host, 'environments', [{ id: 'far', program, args }]);
    await expect.poll(parametersOfExec, { timeout: TIMEOUT_MS }).toContain('far');
    const line = 'echo "begun $$"; while :; do sleep 0.1; echo more; done';
    const begun = await execCommand(host, line, { environment_id: 'far', title: 'chatters', yield_time_ms: 3_000 });
    await focusSession(host, begun.sessionId);
    await host.window.waitForTerminalText(/^more$/m);

    const waiting = callTool(host, 'write_stdin', { session_id: begun.sessionId, chars: '', yield_time_ms: 60_000 });
    process.kill(sshThrough(args), 'SIGKILL');

    expect(begun.isRunning).toBe(true);
    expect(await waiting).toMatchObject({ isRunning: false, endReason: 'hostLost' });
    await host.window.waitForTerminalText(/host lost/i);
    await host.window.screenshot('host-lost');
    const shell = Number(/begun (\d+)/.exec(begun.output)?.[1]);
    await until('its program is gone', async () => !(await listProcesses()).some(({ pid }) => pid === shell));
  },
);

/** What agents know of the tool's parameters: VS Code ends the calls of before when it learns of others. */
function parametersOfExec(): Promise<string> {
  return host.evaluate(({ vscode }) =>
    JSON.stringify(vscode.lm.tools.find(({ name }) => name.endsWith('_exec_command'))?.inputSchema),
  );
}

/** The process of ssh that was started with these arguments. */
function sshThrough(args: readonly string[]): number {
  const key = args[args.indexOf('-i') + 1] ?? '';
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && commandLine(name).startsWith('ssh\0') && commandLine(name).includes(key),
  );
  return Number(pid);
}

/** Empty for one that has ended a moment ago. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
