import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, execCommand, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TIMEOUT_MS = 60_000;
const DEFAULT_PROFILE = 'terminal.integrated.defaultProfile.linux';

let host: EditorHost;

beforeAll(async () => {
  // Of the workspace: this window is a remote one, where the user's own settings do not choose what is run.
  const settings = {
    'execSessions.defaultShell': 'profile',
    'terminal.integrated.profiles.linux': { Plain: { path: '/bin/sh' }, Mine: { path: '/bin/bash' } },
    [DEFAULT_PROFILE]: 'Plain',
  };
  host = await startEditorHost({ files: { '.vscode/settings.json': JSON.stringify(settings) } });
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

it('runs commands and shared shells with the shell of the default terminal profile, and tells agents so', async () => {
  const reply = await execCommand(host, 'readlink /proc/$$/exe; echo "$0"');
  await host.window.runCommand('Exec Sessions: New Shared Shell');

  expect(reply).toMatchObject({ shell: '/bin/sh', exitCode: 0 });
  expect(reply.output).toMatch(/\/(dash|sh)\n\/bin\/sh\n$/);
  await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toContain('Shared sh');
  expect(await descriptionOfExec()).toContain('Runs a command with /bin/sh ');
});

it('follows the user to another profile', async () => {
  await host.evaluate(async ({ vscode }, key) => {
    await vscode.workspace.getConfiguration().update(key, 'Mine', vscode.ConfigurationTarget.Workspace);
  }, DEFAULT_PROFILE);

  await expect.poll(descriptionOfExec, { timeout: TIMEOUT_MS }).toContain('Runs a command with /bin/bash ');
  const reply = await execCommand(host, 'echo "bash $BASH_VERSION"');

  expect(reply).toMatchObject({ shell: '/bin/bash', exitCode: 0 });
  expect(reply.output).toMatch(/^bash \d/);
});

/** What agents read of the tool before they call it. */
function descriptionOfExec(): Promise<string> {
  return host.evaluate(
    ({ vscode }) => vscode.lm.tools.find(({ name }) => name.endsWith('_exec_command'))?.description ?? '',
  );
}
