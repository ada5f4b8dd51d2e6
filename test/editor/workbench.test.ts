import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EditorHost, startEditorHost } from './support/editorHost';

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
});

afterAll(async () => {
  await host.stop();
});

it('activates the extension from its package in a real workbench', async () => {
  const extension = await host.evaluate(async ({ vscode }) => {
    const found = vscode.extensions.getExtension('exec-sessions.exec-sessions');
    await found?.activate();
    return { isActive: found?.isActive, commands: await vscode.commands.getCommands(true) };
  });

  expect(extension.isActive).toBe(true);
  expect(extension.commands).toContain('execSessions.newSharedShell');
});

it('opens a shared shell from the command palette that takes keys and shows output', async () => {
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.waitForTerminalText(/[$#]/);

  await host.window.typeInTerminal('echo typed-$((6 * 7))\n');

  await host.window.waitForTerminalText(/^typed-42$/m);
  await host.window.screenshot('workbench-shared-shell');
});

it('finds the new extension host after the window was reloaded', async () => {
  const before = await host.extensionHost.pid();

  await host.reloadWindow();

  expect(await host.evaluate(() => process.pid)).not.toBe(before);
});
