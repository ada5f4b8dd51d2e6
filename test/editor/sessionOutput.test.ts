import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until';
import { allowTools, execCommand, setRevealMode, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

const TIMEOUT_MS = 60_000;
const GREEN_STEPS = `for i in $(seq 1 5); do printf '\\033[32mstep %d\\033[0m\\n' $i; sleep 0.2; done; read -p 'more? ' x; echo "got $x"`;

let host: EditorHost;
let list: SessionList;

beforeAll(async () => {
  host = await startEditorHost();
  await host.window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  list = new SessionList(host.window.page);
  await allowTools(host);
  await setRevealMode(host, 'never');
  await list.enlarge();
});

afterAll(async () => {
  await host.stop();
});

it('shows a transcript in an editor that stays, as clean text, and goes on while the program runs', async () => {
  await execCommand(host, GREEN_STEPS, { title: 'steps/all', yield_time_ms: 300 });
  await list.menu('steps/all', 'Open Transcript');

  await expect.poll(documentText, { timeout: TIMEOUT_MS }).toMatch(/^step 1\n/);
  await expect.poll(documentText, { timeout: TIMEOUT_MS }).toBe('step 1\nstep 2\nstep 3\nstep 4\nstep 5\nmore? ');
  expect(await activeTab()).toEqual({ label: 'steps∕all.log', isPreview: false });
  await host.window.screenshot('transcript');
  await host.window.page.keyboard.type('not in here');
  expect(await documentText()).not.toContain('not');
});

it('copies the clean text', async () => {
  await list.menu('steps/all', 'Copy Output');

  const copied = (): Promise<string> => host.window.page.evaluate('navigator.clipboard.readText()');
  await expect.poll(copied).toBe('step 1\nstep 2\nstep 3\nstep 4\nstep 5\nmore? ');
});

it('saves a recording with its times and without what was typed', async () => {
  await list.press('steps/all', 'Focus Session');
  await host.window.waitForTerminalText(/more\?$/m);
  await host.window.typeInTerminal('please\n');
  await list.row('steps/all', /^exit code 0/).waitFor({ timeout: TIMEOUT_MS });
  const file = path.join(host.server.workspaceDir, 'steps-all.cast');

  await list.menu('steps/all', 'Save as Asciicast');
  await host.window.page.locator('.quick-input-widget input').first().press('Enter');
  await until('the recording is there', () => existsSync(file) && readFileSync(file).length > 0, TIMEOUT_MS);

  const [header, ...events] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(header).toMatchObject({ version: 2, title: 'steps/all', env: { TERM: 'xterm-256color' } });
  const outputs = (events as [number, string, string][]).filter(([, kind]) => kind === 'o');
  expect(outputs.map(([, , text]) => text).join('')).toContain('\u001b[32mstep 5\u001b[0m\r\nmore? please\r\ngot please');
  expect((outputs.at(-1)?.[0] ?? 0) - (outputs[0]?.[0] ?? 0)).toBeGreaterThan(0.5);
  expect(sortedKinds(events as [number, string, string][])).toEqual(['o', 'r']);
});

it('has the transcript when the tab is gone', async () => {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.terminal.killAll'));
  await expect.poll(() => terminalNames(host)).toEqual([]);

  await list.menu('steps/all', 'Open Transcript');

  await expect.poll(documentText, { timeout: TIMEOUT_MS }).toMatch(/more\? please\ngot please\n$/);
});

it('has more than memory keeps', async () => {
  await execCommand(host, 'seq 1 800000; echo END', { title: 'long', max_output_tokens: 50, yield_time_ms: 60_000 });
  await list.menu('long', 'Open Transcript');

  await expect.poll(async () => (await documentText()).length, { timeout: TIMEOUT_MS }).toBe(5_488_895 + 'END\n'.length);
});

it('starts a command again in a session of its own, in the same folder and with the same variables', async () => {
  const cmd = 'echo "$COLOUR in $PWD"; read x';
  await execCommand(host, cmd, { title: 'again', workdir: '/usr', env: { COLOUR: 'green' }, yield_time_ms: 500 });
  await list.menu('again', 'Restart Session');
  await expect.poll(() => host.window.dialog().innerText()).toMatch(/End "again" and start it again\?/);
  await host.window.screenshot('restart-asks');
  await host.window.dialog().getByRole('button', { name: 'End and Restart' }).click();

  await list.row('again', /^ended by you/).waitFor({ timeout: TIMEOUT_MS });
  await host.window.waitForTerminalText(/^green in \/usr$/m);
  await expect.poll(() => list.row('again').getAttribute('aria-label')).toMatch(/^Session again, .*, started by you$/);
});

it('leaves no dead editor when the window was reloaded, and says in one that is opened again that its output has gone', async () => {
  await list.menu('long', 'Open Transcript');
  await expect.poll(async () => (await documentText()).length, { timeout: TIMEOUT_MS }).toBeGreaterThan(1_000_000);
  const address = await host.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.uri.toString() ?? '');

  await host.reloadWindow();

  await expect.poll(async () => (await activeTab()).label, { timeout: TIMEOUT_MS }).toBe(undefined);
  const reopen = (): Promise<string> =>
    host.evaluate(
      async ({ vscode }, uri) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText(),
      address,
    );
  expect(await reopen()).toMatch(/^The output of session \d+ is no longer kept\.$/);
});

function documentText(): Promise<string> {
  return host.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
}

function activeTab(): Promise<{ label: string | undefined; isPreview: boolean | undefined }> {
  return host.evaluate(({ vscode }) => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return { label: tab?.label, isPreview: tab?.isPreview };
  });
}

function sortedKinds(events: readonly [number, string, string][]): string[] {
  return [...new Set(events.map(([, kind]) => kind))].sort();
}
