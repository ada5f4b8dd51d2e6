import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { allowTools, callInChat, execCommand } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

/** VS Code reads the tools anew. */
const REFRESH_TIMEOUT_MS = 60_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

it('asks the user nothing, and logs no error', async () => {
  expect(await host.window.notifications()).toEqual([]);
  expect(await host.window.dialog().count()).toBe(0);
});

it('gives the chat the tools anew when what they say has changed, and ends no call that is under way', async () => {
  const flag = path.join(tempDir(), 'flag');
  const waiting = execCommand(host, `until [ -e ${flag} ]; do sleep 0.1; done; echo done`, { yield_time_ms: 120_000 });
  const before = await execCommandDescription();

  await host.evaluate(async ({ vscode }) => {
    const settings = vscode.workspace.getConfiguration('execSessions');
    await settings.update('defaultShell', '/bin/sh', vscode.ConfigurationTarget.Global);
  });
  await host.window.chat.send('Hello.');
  const after = await until(
    'the tools name the new shell',
    async () => {
      const description = await execCommandDescription();
      return description?.includes('/bin/sh') === true ? description : undefined;
    },
    REFRESH_TIMEOUT_MS,
  );

  writeFileSync(flag, '');

  expect(before).toContain('/bin/bash');
  expect(after).not.toContain('/bin/bash');
  expect(await waiting).toMatchObject({ output: 'done\n', exitCode: 0 });
  expect(await execCommand(host, 'echo $0')).toMatchObject({ output: '/bin/sh\n' });
});

it('goes on after the window was reloaded, and leaves none of its programs behind', async () => {
  await execCommand(host, 'exec sleep 98765', { yield_time_ms: 1_000 });
  const before = sleepers();

  await host.reloadWindow();
  await until('the program is gone', () => sleepers().length === 0, REFRESH_TIMEOUT_MS);
  await host.window.chat.waitForModel(host.model.name);
  const reply = await callInChat(host, 'exec_command', { cmd: 'echo again' });

  expect(before).toHaveLength(1);
  expect(reply).toMatchObject({ output: 'again\n', exitCode: 0 });
});

async function execCommandDescription(): Promise<string | undefined> {
  return host.evaluate(
    ({ vscode }) => vscode.lm.tools.find(({ name }) => /^mcp_exec.*_exec_command$/.test(name))?.description,
  );
}

/** Ids of the processes that run the program of the last test. */
function sleepers(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8') === 'sleep\u000098765\u0000';
    } catch {
      // It has just ended.
      return false;
    }
  });
}
