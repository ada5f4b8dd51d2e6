import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until';
import { terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TIMEOUT_MS = 60_000;
/** What a folder from somewhere may bring along. */
const WORKSPACE_SETTINGS = {
  'execSessions.defaultShell': '/bin/sh',
  'execSessions.redactSecrets': true,
  'execSessions.shellEnvironment': { set: { BASH_ENV: './payload.sh' } },
  'execSessions.builtInTerminalTool': false,
};

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost({
    startsRestricted: true,
    files: { '.vscode/settings.json': JSON.stringify(WORKSPACE_SETTINGS) },
  });
});

afterAll(async () => {
  await host.stop();
});

it('runs nothing, offers no tool and heeds no setting of a workspace that is not trusted', async () => {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));
  for (const title of ['Add Environment...', 'New Shared Shell']) {
    await host.evaluate(({ vscode }) => vscode.commands.executeCommand('notifications.clearAll'));
    await until('nothing is said', async () => (await host.window.notifications()).length === 0, TIMEOUT_MS);
    await host.window.runCommand(`Exec Sessions: ${title}`);
    await until('we say why not', async () => (await host.window.notifications()).some(isRefusal), TIMEOUT_MS);
  }
  const welcome = await host.window.page.locator('.welcome-view-content').filter({ hasText: 'Exec Sessions' }).innerText();
  await host.window.screenshot('workspace-not-trusted');

  expect(await settingsInForce()).toEqual({
    'execSessions.defaultShell': '',
    'execSessions.redactSecrets': false,
    'execSessions.shellEnvironment': {},
    'execSessions.builtInTerminalTool': true,
  });
  expect(await terminalNames(host)).toEqual([]);
  expect(await ourTools()).toEqual([]);
  expect(welcome).toContain('runs nothing until you trust this workspace');
});

it('reaches no files of environments there', async () => {
  const refusal = await host.evaluate(async ({ vscode }) => {
    const root = vscode.Uri.from({ scheme: 'exec-env', authority: 'local', path: '/' });
    return vscode.workspace.fs.stat(root).then(() => 'no error', String);
  });

  expect(refusal).toMatch(/Unavailable.*from a workspace that you have not trusted/);
});

it('works, with the settings of the workspace, as soon as the user trusts it', async () => {
  await host.window.page.getByRole('button', { name: 'Manage Workspace Trust' }).last().click();
  await host.window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  await until('the workspace is trusted', () => host.evaluate(({ vscode }) => vscode.workspace.isTrusted), TIMEOUT_MS);

  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.screenshot('workspace-trusted');

  expect(await terminalNames(host)).toEqual(['Shared sh']);
  expect(await settingsInForce()).toEqual(WORKSPACE_SETTINGS);
});

function isRefusal(text: string): boolean {
  return text.includes('runs nothing in a workspace that you have not trusted');
}

function settingsInForce(): Promise<Record<string, unknown>> {
  return host.evaluate(
    ({ vscode }, keys) => Object.fromEntries(keys.map((key) => [key, vscode.workspace.getConfiguration().get(key)])),
    Object.keys(WORKSPACE_SETTINGS),
  );
}

function ourTools(): Promise<string[]> {
  return host.evaluate(({ vscode }) =>
    vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_exec')),
  );
}
