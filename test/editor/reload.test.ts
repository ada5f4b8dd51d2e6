import { afterAll, beforeAll, expect, it } from 'vitest';
import { TRANSCRIPT_SCHEME } from '../../src/vscode/contributions';
import { allowTools, callInChat, closeTerminals, execCommand, setSetting, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await setSetting(host, 'persistSessions', true);
  await allowTools(host);
  await closeTerminals(host);
});

afterAll(async () => {
  await host.stop();
});

it('brings sessions back after a reload, with their tabs, their state, what they printed and the transcript in front', async () => {
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.typeInTerminal('MARK=kept; echo "before the reload"\n');
  await host.window.waitForTerminalText(/^before the reload$/m);
  const server = await execCommand(host, 'echo serving; read x; echo "got $x"', { title: 'server', yield_time_ms: 2_000 });
  await openTranscript(server.sessionId);
  await expect.poll(transcriptText).toBe('serving\n');

  await host.reloadWindow();

  await expect.poll(() => terminalNames(host), { timeout: 60_000 }).toContain('Shared bash');
  await host.window.waitForTerminalText(/^before the reload$/m);
  await host.window.page.locator('.terminal-wrapper.active .xterm').click();
  await host.window.typeInTerminal('echo "$MARK for good"\n');
  await host.window.waitForTerminalText(/^kept for good$/m);
  await host.window.screenshot('after-reload');
  // What the user has allowed for the chat does not outlive a reload.
  const reply = await callInChat(host, 'write_stdin', { session_id: server.sessionId, chars: 'it\n', yield_time_ms: 5_000 });
  expect(reply).toMatchObject({ isRunning: false, exitCode: 0 });
  expect(reply.output).toContain('got it');
  await expect.poll(transcriptText, { timeout: 60_000 }).toMatch(/^serving\n(it\n)?got it\n$/);
});

it('says of sessions that ended with the window that they did, and leaves no process behind', async () => {
  await setSetting(host, 'persistSessions', false);
  const title = 'a job';
  const list = new SessionList(host.window.page);
  const { sessionId, output } = await callInChat(host, 'exec_command', {
    cmd: 'echo $$; exec sleep 300',
    title,
    yield_time_ms: 2_000,
  });
  const pid = Number(output.trim());
  await list.enlarge();
  await list.row(title, /running/).waitFor();

  await host.reloadWindow();

  await list.row(title, /^ended with the window before/).waitFor();
  await host.window.screenshot('after-reload-without-host');
  const reply = await callInChat(host, 'write_stdin', { session_id: sessionId, chars: '', yield_time_ms: 1_000 });
  expect(reply).toMatchObject({ isRunning: false, endReason: 'windowReloaded' });
  expect(reply.status).toContain('the window that ran it was reloaded');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

async function openTranscript(sessionId: number): Promise<void> {
  await host.evaluate(({ vscode }, id) => vscode.commands.executeCommand('execSessions.openTranscript', id), sessionId);
}

/** Of the transcript that is shown; empty where there is none. */
function transcriptText(): Promise<string> {
  return host.evaluate(({ vscode }, scheme) => {
    const editors = vscode.window.visibleTextEditors;
    return editors.find(({ document }) => document.uri.scheme === scheme)?.document.getText() ?? '';
  }, TRANSCRIPT_SCHEME);
}
