/** The list of the environments: how each is connected, and what a user does about it. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cliPath } from '../support/builtCli';
import { until } from '../support/until';
import { allowTools, execCommand, setSetting, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { EnvironmentList } from './support/environmentList';
import { SessionList } from './support/sessionList';

const TIMEOUT_MS = 30_000;

const BOX = {
  id: 'box',
  label: 'the build box',
  program: process.execPath,
  args: [cliPath, 'exec-server', '--listen', 'stdio'],
};

let host: EditorHost;
let list: EnvironmentList;

beforeAll(async () => {
  host = await startEditorHost();
  list = new EnvironmentList(host.window.page);
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

it('is not there while this machine is all there is', async () => {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));
  await new SessionList(host.window.page).row('exec sleep 1000').waitFor();

  expect(await list.pane().count()).toBe(0);
});

it('has a row for each environment and for each mistake', async () => {
  await setSetting(host, 'environments', [BOX, { id: 'gone', url: 'ws://127.0.0.1:1' }, { id: 'odd one' }]);
  await list.pane().waitFor();
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.environments.focus'));

  await list.row('local', 'default · this machine').waitFor();
  await list.row('box', 'never connected · the build box').waitFor();
  await list.row('gone', 'never connected · ws://127.0.0.1:1').waitFor();
  await list.pane().getByText('The environment "odd one" has no valid id').waitFor();
  expect(await list.row('box').getAttribute('aria-label')).toBe(
    'Environment box, the build box, never connected, 0 sessions',
  );
});

it('connects, counts what runs there, and starts a shell there', async () => {
  await list.press('box', 'Connect Environment');
  await list.row('box', 'connected · the build box').waitFor();
  await list.press('box', 'New Shared Shell');
  await until('the shell is in a tab', async () => (await terminalNames(host)).includes('Shared Shell on box'), TIMEOUT_MS);

  await list.row('box', 'connected · 1 session · the build box').waitFor();
});

it('says why an environment cannot be reached, also later', async () => {
  await list.press('gone', 'Connect Environment');

  await list.row('gone', /disconnected: .*ECONNREFUSED/).waitFor();
  await until('the user is told', async () => (await host.window.notifications()).some(isRefusal), TIMEOUT_MS);
  await host.window.screenshot('environments-view');
});

it('makes another one the default, where commands run that name none', async () => {
  await list.menu('box', 'Set as Default Environment');
  await list.row('box', /^default ·/).waitFor();
  const reply = await execCommand(host, 'true', { login: false });

  expect(reply).toMatchObject({ environmentId: 'box', exitCode: 0 });
});

it('ends what runs there before it disconnects, once the user agrees', async () => {
  const waiting = execCommand(host, 'sleep 1000', { environment_id: 'box', title: 'waits', yield_time_ms: 60_000 });
  await list.row('box', /^default · connected · 2 sessions ·/).waitFor();

  await list.press('box', 'Disconnect Environment');
  const question = await host.window.dialog().innerText();
  await host.window.screenshot('environments-disconnect');
  await button('Cancel').click();
  await list.row('box', /^default · connected · 2 sessions ·/).waitFor();
  await list.press('box', 'Disconnect Environment');
  await button('End and Disconnect').click();

  expect(question).toContain('Disconnect from box and end what runs there (2 sessions)?');
  expect(await waiting).toMatchObject({ isRunning: false, endReason: 'terminatedByUser' });
  await list.row('box', 'default · disconnected by you · the build box').waitFor();
});

it('connects again by itself for the next command', async () => {
  const reply = await execCommand(host, 'echo back', { environment_id: 'box', login: false });

  expect(reply.output).toBe('back\n');
  await list.row('box', 'default · connected · the build box').waitFor();
});

function isRefusal(text: string): boolean {
  return /^The environment gone cannot be reached: .*ECONNREFUSED/.test(text);
}

function button(name: string): Locator {
  return host.window.dialog().getByRole('button', { name, exact: true });
}
