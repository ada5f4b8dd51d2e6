import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, callTool, execCommand } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

let host: EditorHost;

beforeAll(async () => {
  // Nothing of ours needs what VS Code puts into the shells of its own terminals.
  host = await startEditorHost({ settings: { 'terminal.integrated.shellIntegration.enabled': false } });
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

it('lets the agent type into a shell that the user started, with one state for both', async () => {
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.waitForTerminalText(/[$#]$/m);
  const list = await callTool(host, 'list_sessions', {});
  const { sessions } = list as unknown as { sessions: { sessionId: number; title: string; isRunning: boolean }[] };
  const shell = sessions.find(({ title, isRunning }) => isRunning && title.startsWith('Shared'))!;

  await host.window.typeInTerminal('cd /tmp; X=from-the-person\n');
  await host.window.waitForTerminalText(/\/tmp[$#]$/m);
  const reply = await callTool(host, 'write_stdin', {
    session_id: shell.sessionId,
    chars: 'echo "$PWD $X"; Y=from-the-agent; tty\r',
    yield_time_ms: 1_000,
  });
  await host.window.typeInTerminal('echo "$Y!"\n');

  expect(reply.output).toContain('/tmp from-the-person');
  expect(reply.output).toMatch(/^\/dev\/pts\/\d+\r?$/m);
  await host.window.waitForTerminalText(/^from-the-agent!$/m);
  await host.window.screenshot('shared-shell');
});

it('closes the tab of a shell that its user ends', async () => {
  await host.window.typeInTerminal('exit\n');

  await expect
    .poll(() => host.evaluate(({ vscode }) => vscode.window.terminals.map(({ name }) => name)), { timeout: 10_000 })
    .not.toContain('Shared bash');
  expect(await host.window.notifications()).toEqual([]);
});

it('runs commands without the shell integration of VS Code', async () => {
  expect(await execCommand(host, 'echo "[$TERM] [$VSCODE_INJECTION]"; exit 4')).toMatchObject({
    output: '[xterm-256color] []\n',
    exitCode: 4,
  });
});
