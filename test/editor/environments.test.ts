/** Commands on another machine: here one that a program leads to, as `ssh` would. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, callTool, execCommand, setSetting, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

const cliPath = path.join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

const BOX = {
  id: 'box',
  label: 'the build box',
  program: process.execPath,
  args: [cliPath, 'exec-server', '--listen', 'stdio'],
  cwd: '/usr',
  env: { THERE: 'of the box' },
};

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
