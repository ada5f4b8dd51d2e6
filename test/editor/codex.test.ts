/** The real codex, connected to the window as a user connects it: what it runs by itself is there to be seen and typed into. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deferred } from '../../src/base/deferred';
import { type CodexRun, runCodex } from '../interop/support/runCodex';
import type { ModelStep } from '../interop/support/scriptedResponses';
import { until } from '../support/until';
import { setSetting, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

const TIMEOUT_MS = 60_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await host.window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  await host.stop();
});

async function answerDialog(button: string): Promise<void> {
  await host.window.dialog().getByRole('button', { name: button, exact: true }).click();
}

const exec = (cmd: string, rest: object = {}): ModelStep => ({ call: 'exec_command', args: { cmd, ...rest } });

function run(
  steps: readonly ModelStep[],
  environments: string,
  onReplies: (replies: readonly string[]) => unknown = () => undefined,
): Promise<CodexRun> {
  return runCodex([...steps, { message: 'done' }], { environments, folder: host.server.workspaceDir, onReplies });
}

async function connect(): Promise<void> {
  await host.window.runCommand('Exec Sessions: Connect an Agent...');
  await host.window.pick('Codex (exec-server)');
  await host.window.pick('All Commands');
}

describe('codex, connected to the window', () => {
  const file = (): string => path.join(host.server.dataDir, 'home', '.codex', 'environments.toml');
  let environments: string;

  it('is told of the window once the user has seen what is written', async () => {
    await connect();
    const question = await host.window.dialog().innerText();
    await host.window.screenshot('connect-codex');
    await answerDialog('Write');
    // It is made empty, and then written.
    environments = await until('the file is written', () => existsSync(file()) && (readFileSync(file(), 'utf8') || false));
    await host.window.page.locator('.tab', { hasText: 'environments.toml' }).waitFor();
    await connect();

    expect(question).toContain(`Write to ${file()}?`);
    expect(environments).toMatch(/^default = "exec-sessions"\n\n\[\[environments\]\]\nid = "exec-sessions"\nprogram = /);
    await expect
      .poll(() => host.window.notifications(), { timeout: TIMEOUT_MS })
      .toContain(`Codex (exec-server) is connected already, by ${file()}.`);
  });

  it('runs a command that asks in a tab, where a person answers', async () => {
    const steps = [
      exec('read -p "name? " x; echo "hello $x"', { tty: true, yield_time_ms: 1_000 }),
      // It waits at least 5 s when it sends nothing, unless the program ends.
      { call: 'write_stdin', args: { session_id: '$session', chars: '', yield_time_ms: 60_000 } },
    ];
    const running = run(steps, environments);
    await host.window.waitForTerminalText(/^name\?/m, TIMEOUT_MS);
    const list = new SessionList(host.window.page);
    await list.enlarge();
    await list.row('read -p "name? " x; echo "hello $x"', /waiting for input · \d+ s · Codex$/).waitFor();
    await host.window.screenshot('codex');
    await host.window.typeInTerminal('a person\n');
    const { toolReplies } = await running;

    expect(toolReplies[1]).toContain('hello a person');
    await host.window.waitForTerminalText(/hello a person[^]*exit code 0/);
  });

  it('runs a command without a terminal in a tab as well, which shows its output as it comes', async () => {
    await setSetting(host, 'revealTerminal', 'always');

    const running = run([exec('echo begun; sleep 3; echo over; exit 3', { yield_time_ms: 20_000 })], environments);
    await host.window.waitForTerminalText(/^begun\s*$/m, TIMEOUT_MS);
    await host.window.waitForTerminalText(/^over$[^]*exit code 3/m);
    const { toolReplies } = await running;

    expect(toolReplies[0]).toMatch(/Process exited with code 3[^]*begun\nover\n/);
    expect(await terminalNames(host)).toContainEqual(expect.stringMatching(/^echo begun; .*\(exit code 3\)$/));
  });

  it('goes on after a reload of the window, and is told what that has ended', async () => {
    const steps = [
      exec('echo serving; sleep 300', { yield_time_ms: 300 }),
      exec('read -p "again? " x; echo "hello $x"', { tty: true, yield_time_ms: 30_000 }),
      { call: 'write_stdin', args: { session_id: '$session', chars: '', yield_time_ms: 5_000 } },
    ];
    const reloaded = new Deferred<undefined>();
    const running = run(steps, environments, async ({ length }) => {
      if (length !== 1) return;
      await host.reloadWindow();
      reloaded.resolve(undefined);
    });
    await reloaded.promise;
    // The window has opened a shell of its own, in whose place nothing is shown unasked.
    const list = new SessionList(host.window.page);
    await list.enlarge();
    await list.row('read -p "again? " x; echo "hello $x"').click({ timeout: TIMEOUT_MS });
    await host.window.waitForTerminalText(/^again\?/m);
    await host.window.typeInTerminal('once more\n');
    const { toolReplies } = await running;

    expect(toolReplies[1]).toContain('hello once more');
    expect(toolReplies[2]).toMatch(/\[exec-sessions\] The VS Code window|exited with code/);
  });
});

it('opens its exec-server on loopback for those who show its token, and closes it with the setting', async () => {
  await host.window.runCommand('Exec Sessions: Copy Exec-Server Connection');
  await answerDialog('Open');
  const clipboard = (): Promise<string> => host.window.page.evaluate('navigator.clipboard.readText()');
  const copied = await until('the connection is copied', async () => {
    const text = await clipboard();
    return text.includes('auth_bearer_token') && text;
  });

  const { toolReplies } = await run([exec('echo over loopback')], `default = "exec-sessions"\n${copied}`);
  expect(toolReplies[0]).toContain('over loopback\n');

  const port = /127\.0\.0\.1:(\d+)/.exec(copied)![1]!;
  await setSetting(host, 'codexExecServer', undefined);
  await until('nobody listens', () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      () => false,
      () => true,
    ),
  );
});
