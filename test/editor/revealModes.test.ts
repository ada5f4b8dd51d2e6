import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allowTools, callTool, closeTerminals, execCommand, setRevealMode, setSetting, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

const TIMEOUT_MS = 60_000;

let host: EditorHost;
let list: SessionList;

beforeAll(async () => {
  host = await startEditorHost();
  list = new SessionList(host.window.page);
  await allowTools(host);
  await closeTerminals(host);
  await list.enlarge();
  await host.evaluate(async ({ vscode }) => {
    const document = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(document);
  });
});

afterAll(async () => {
  await host.stop();
});

afterEach(async () => {
  await setSetting(host, 'closeEndedTabs', undefined);
  await setRevealMode(host, undefined);
  await closeTerminals(host);
});

describe('what gets a tab by itself, with the keyboard focus left in the editor', () => {
  const quick = 'quick';
  const running = 'running';
  const asking = 'asking';

  it.each([
    ['always', [quick, running, asking]],
    ['onInput', [asking]],
    ['longRunning', [running, asking]],
    ['never', []],
  ])('with %s: %j', async (mode, expected) => {
    await setRevealMode(host, mode);
    await host.window.page.locator('.editor-instance .monaco-editor').first().click();

    await execCommand(host, 'sleep 0.1', { title: quick });
    await execCommand(host, 'sleep 1000', { title: running, yield_time_ms: 500 });
    await execCommand(host, 'read -p "go? " x', { title: asking });
    await list.row(asking, /^waiting for input/).waitFor({ timeout: TIMEOUT_MS });
    await expect.poll(shownTabs, { timeout: TIMEOUT_MS }).toEqual(expected);
    await host.window.page.keyboard.type(`typed in the editor with ${mode} `);

    await expect.poll(documentText).toContain(`typed in the editor with ${mode} `);
    expect(await shownTabs()).toEqual(expected);
    await host.window.screenshot(`reveal-${mode}`);
    await endAll();
  });
});

it('shows what an agent waits for longer than usual, before its reply', async () => {
  const waiting = execCommand(host, 'echo here; sleep 1000', { title: 'long wait', yield_time_ms: 60_000 });

  await host.window.waitForTerminalText(/^here$/m);
  await endAll();
  expect(await waiting).toMatchObject({ endReason: 'terminatedByUser' });
});

describe('which tabs of ended commands are closed by themselves', () => {
  it.each([
    ['all', 0],
    ['none', 7],
  ])('with %s, %i of 7 are left', async (closing, left) => {
    await setSetting(host, 'closeEndedTabs', closing);
    await setRevealMode(host, 'always');
    for (let count = 1; count <= 7; count++) await execCommand(host, `echo ${String(count)}; sleep 0.3`, { title: 'brief' });

    await expect.poll(async () => (await terminalNames(host)).length, { timeout: TIMEOUT_MS }).toBe(left);
    await list.menu('brief', 'Open Transcript');
    await expect.poll(documentText, { timeout: TIMEOUT_MS }).toBe('7\n');
    await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });

  it('opens the tab of an ended session again, and leaves it open', async () => {
    await setSetting(host, 'closeEndedTabs', 'all');
    await setRevealMode(host, 'never');
    await execCommand(host, 'echo ended', { title: 'look again' });

    await list.menu('look again', 'Reveal in Terminal');

    await host.window.waitForTerminalText(/^ended\nexit code 0$/m);
    expect(await shownTabs()).toEqual(['look again']);
  });
});

/** Tabs by the title of their session, without the words about its end. */
async function shownTabs(): Promise<string[]> {
  return (await terminalNames(host)).map((name) => name.replace(/ \(.*\)$/, ''));
}

function documentText(): Promise<string> {
  return host.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
}

/** Ends every session that still runs, as a person does it. */
async function endAll(): Promise<void> {
  const { sessions } = (await callTool(host, 'list_sessions', {})) as unknown as { sessions: Listed[] };
  for (const { sessionId } of sessions.filter(({ isRunning }) => isRunning)) {
    await host.evaluate(({ vscode }, id) => vscode.commands.executeCommand('execSessions.terminateSession', id), sessionId);
  }
}

interface Listed {
  readonly sessionId: number;
  readonly isRunning: boolean;
}
