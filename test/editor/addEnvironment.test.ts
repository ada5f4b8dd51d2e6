/** The command that adds an environment, by its questions; and what comes of it. The `ssh` and `kubectl` here only pass the command on. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cliPath } from '../support/builtCli';
import { until } from '../support/until';
import { terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { EnvironmentList } from './support/environmentList';

const TIMEOUT_MS = 30_000;
const COMMAND = 'Exec Sessions: Add Environment...';
const serverCommand = `${process.execPath} ${cliPath} exec-server --listen stdio`;

const programs = mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-programs-'));

let host: EditorHost;
let list: EnvironmentList;

beforeAll(async () => {
  writeProgram('ssh', 'shift\nexec /bin/sh -c "$*"');
  // The editor asks the user's shell for the variables of its programs.
  const homeFiles = { '.profile': `PATH="${programs}:$PATH"`, '.ssh/config': 'Host lab.example\nHost *\n' };
  host = await startEditorHost({ homeFiles });
  list = new EnvironmentList(host.window.page);
});

afterAll(async () => {
  await host.stop();
  rmSync(programs, { recursive: true, force: true });
});

it('asks for an SSH host of the configuration, writes the setting, and says what is missing over there', async () => {
  await host.window.runCommand(COMMAND);
  await host.window.pick('SSH Host');
  await until('the hosts are offered', async () => (await host.window.quickPickRows()).join() === 'lab.example', TIMEOUT_MS);
  await host.window.screenshot('add-environment-host');
  await host.window.pick('lab.example');
  await question(/short name/);
  expect(await input().inputValue()).toBe('lab');
  await host.window.page.keyboard.press('Enter');

  await list.row('lab', /^disconnected: the program ended with exit code 127/).waitFor();
  const told = await until('the user is told', findRefusal, TIMEOUT_MS);
  expect(told).toMatch(/exec-sessions: not found; .*install it on the other machine/);
  await host.window.screenshot('add-environment-refused');
  expect(await configured()).toEqual([
    {
      id: 'lab',
      label: 'ssh lab.example',
      program: 'ssh',
      args: ['lab.example', 'exec-sessions', 'exec-server', '--listen', 'stdio'],
    },
  ]);
});

it('connects as soon as it is there', async () => {
  writeProgram('exec-sessions', `exec ${process.execPath} ${cliPath} "$@"`);
  await host.window.page.getByRole('button', { name: 'Try Again' }).click();

  await list.row('lab', 'connected · ssh lab.example').waitFor();
});

it('takes a shell command, after a way back, under a name of its own, and runs sessions there', async () => {
  await host.window.runCommand(COMMAND);
  await host.window.pick('WebSocket URL');
  await question(/address of the exec-server/);
  await input().fill('http://somewhere');
  await host.window.page.keyboard.press('Enter');
  await host.window.page.getByText('An address that begins with ws:// or wss://').waitFor();
  await host.window.page.getByRole('button', { name: 'Back' }).click();
  await host.window.pick('Shell Command');
  await question(/command line for the shell/);
  await input().fill(serverCommand);
  await host.window.page.keyboard.press('Enter');
  await question(/short name/);
  await input().fill('lab');
  await host.window.page.getByText('Another environment has this name').waitFor();
  await input().fill('here');
  await host.window.page.keyboard.press('Enter');
  await list.row('here', 'connected · a shell command').waitFor();
  await list.press('here', 'New Shared Shell');

  await until('the shell is in a tab', async () => (await terminalNames(host)).includes('Shared Shell on here'), TIMEOUT_MS);
  await list.row('here', 'connected · 1 session · a shell command').waitFor();
  await host.window.screenshot('add-environment-added');
  expect(await configured()).toMatchObject([{ id: 'lab' }, { id: 'here', command: serverCommand }]);
});

it('offers contexts, pods and their containers, and leads into the one that is chosen', async () => {
  writeProgram(
    'kubectl',
    `case "$*" in
      "config get-contexts"*) echo lab ;;
      "--context lab get pods"*) echo "shop   web-7f   app,side" ;;
      "--context lab --namespace shop exec -i web-7f --container side -- "*) shift 10; exec /bin/sh -c "$*" ;;
    esac`,
  );
  await host.window.runCommand(COMMAND);
  for (const choice of ['Kubernetes Pod', 'lab', 'web-7f', 'side']) await host.window.pick(choice);
  await question(/short name/);
  await host.window.page.keyboard.press('Enter');

  await list.row('web-7f', 'connected · pod web-7f').waitFor();
});

it('says why there is nothing to choose from, and changes nothing when the questions are given up', async () => {
  writeProgram('docker', 'echo "no daemon here" >&2; exit 1');
  await host.window.runCommand(COMMAND);
  await host.window.pick('Docker Container');
  await host.window.page.getByPlaceholder('or type its name (no daemon here)').waitFor();
  await input().fill('web');
  await host.window.pick('web');
  await question(/short name/);
  await host.window.page.keyboard.press('Escape');
  await input().waitFor({ state: 'hidden' });

  expect(await configured()).toHaveLength(3);
});

function writeProgram(name: string, script: string): void {
  const file = path.join(programs, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** The box that is typed into, of a question that is asked. */
function input() {
  return host.window.page.locator('.quick-input-widget .quick-input-box input').first();
}

async function question(words: RegExp): Promise<void> {
  await host.window.page.locator('.quick-input-message').getByText(words).waitFor();
}

async function findRefusal(): Promise<string | undefined> {
  return (await host.window.notifications()).find((text) => text.includes('lab cannot be reached'));
}

function configured(): Promise<unknown> {
  return host.evaluate(({ vscode }) => vscode.workspace.getConfiguration('execSessions').get('environments'));
}
