import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, callTool, closeTerminals, execCommand, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost({ settings: { 'execSessions.persistSessions': true } });
  await allowTools(host);
  await closeTerminals(host);
});

afterAll(async () => {
  await host.stop();
});

/** What a person reads in the list of sessions. */
function sessionRows(): Promise<string[]> {
  return host.window.page.locator('.pane:has(.title:text("Exec Sessions")) .monaco-list-row').allInnerTexts();
}

it('brings sessions back after a reload, with their tabs, their state and what they printed', async () => {
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.typeInTerminal('MARK=kept; echo "before the reload"\n');
  await host.window.waitForTerminalText(/^before the reload$/m);
  const server = await execCommand(host, 'echo serving; read x; echo "got $x"', { yield_time_ms: 2_000 });

  await host.reloadWindow();

  await expect.poll(() => terminalNames(host), { timeout: 60_000 }).toContain('Shared bash');
  await host.window.waitForTerminalText(/^before the reload$/m);
  await host.window.page.locator('.terminal-wrapper.active .xterm').click();
  await host.window.typeInTerminal('echo "$MARK for good"\n');
  await host.window.waitForTerminalText(/^kept for good$/m);
  await host.window.screenshot('after-reload');
  const reply = await callTool(host, 'write_stdin', { session_id: server.sessionId, chars: 'it\n', yield_time_ms: 5_000 });
  expect(reply).toMatchObject({ isRunning: false, exitCode: 0 });
  expect(reply.output).toContain('got it');
});

it('says of sessions that ended with the window that they did, and leaves no process behind', async () => {
  await host.evaluate(async ({ vscode }) => {
    const settings = vscode.workspace.getConfiguration('execSessions');
    await settings.update('persistSessions', false, vscode.ConfigurationTarget.Global);
  });
  const { sessionId } = await execCommand(host, 'echo $$; exec sleep 300', { yield_time_ms: 2_000 });
  const pid = Number((await callTool(host, 'read_output', { session_id: sessionId })).output.trim());
  // What runs is kept in mind a moment after it started.
  await expect.poll(async () => (await sessionRows()).join()).toContain('sleep 300');

  await host.reloadWindow();

  await expect.poll(async () => (await sessionRows()).join(), { timeout: 60_000 }).toContain('ended with the window before');
  await host.window.screenshot('after-reload-without-host');
  const reply = await callTool(host, 'write_stdin', { session_id: sessionId, chars: '', yield_time_ms: 1_000 });
  expect(reply).toMatchObject({ isRunning: false, endReason: 'windowReloaded' });
  expect(reply.status).toContain('the window that ran it was reloaded');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
