import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { until } from '../support/until';
import { allowTools, execCommand } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { tooltipOf } from './support/tooltipOf';

const TIMEOUT_MS = 30_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
});

afterAll(async () => {
  await host.stop();
});

it('welcomes with what it is for while there are no sessions', async () => {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));

  const welcome = host.window.page.locator('.welcome-view-content').filter({ hasText: 'New Shared Shell' });
  await welcome.waitFor();
  await host.window.screenshot('sessions-view-welcome');
  await welcome.locator('.monaco-button').first().click();

  await host.window.waitForTerminalText(/[$#]$/m);
  await row(/^Shared bash\s*ready · \d+ s · you$/).waitFor();
});

it('lists sessions with their state, running ones first', async () => {
  await allowTools(host);
  await Promise.all([
    execCommand(host, 'npm --version >/dev/null; exit 3', { title: 'npm test' }),
    execCommand(host, 'kill -9 $$'),
    execCommand(host, 'echo ok'),
    execCommand(host, 'while sleep 1; do date; done', { title: 'dev server', yield_time_ms: 1_500 }),
  ]);

  const expected = [
    /^dev server\s*running · \d+ s · chat$/,
    /^Shared bash\s*ready · \d+ s · you$/,
    /^echo ok\s*exit code 0/,
    /^kill -9 \$\$\s*ended by signal SIGKILL/,
    /^npm test\s*exit code 3/,
  ];
  const shown = await until(
    'the sessions in the list',
    async () => {
      const texts = await rows();
      return expected.every((pattern) => texts.some((text) => pattern.test(text))) ? texts : undefined;
    },
    TIMEOUT_MS,
  );
  expect(shown[0]).toMatch(expected[0]!);
  expect(shown[1]).toMatch(expected[1]!);
  await tooltipOf(host.window.page, row(/^dev server/), 'Started by');
  await host.window.screenshot('sessions-view');
  expect(await row(/^dev server/).getAttribute('aria-label')).toMatch(/^Session dev server, running · \d+ s/);
});

it('focuses the terminal of the session that is clicked', async () => {
  await row(/^dev server/).click();

  await host.window.waitForTerminalText(/\d\d:\d\d:\d\d/);
  await expect.poll(activeTerminal).toBe('dev server');
});

it('ends a session from the list, and the agent is told by whom', async () => {
  const waiting = execCommand(host, 'sleep 1000', { title: 'to be ended', yield_time_ms: 60_000 });
  await row(/^to be ended/).hover();
  await row(/^to be ended/)
    .getByRole('button', { name: 'Terminate Session' })
    .click();
  const reply = await waiting;

  expect(reply).toMatchObject({ isRunning: false, endReason: 'terminatedByUser' });
  await row(/^to be ended\s*ended by you/).waitFor();
});

it('lets the user pick a session when a command is run from the palette', async () => {
  await host.window.runCommand('Exec Sessions: Focus Session');
  const offered = await until(
    'the sessions to pick from',
    async () => {
      const texts = await host.window.quickPickRows();
      return texts.length > 4 ? texts : undefined;
    },
    TIMEOUT_MS,
  );
  await host.window.screenshot('pick-a-session');
  await host.window.pick('Shared bash');

  expect(offered.some((text) => /npm test\s*exit code 3/.test(text))).toBe(true);
  await expect.poll(activeTerminal).toBe('Shared bash');

  await host.window.runCommand('Exec Sessions: Terminate Session');
  await host.window.pick('dev server');
  await row(/^dev server\s*ended by you/).waitFor();
});

function row(pattern: RegExp): Locator {
  return tree().locator('.monaco-list-row').filter({ hasText: pattern }).first();
}

function tree(): Locator {
  return host.window.page
    .locator('.pane')
    .filter({ has: host.window.page.locator('.pane-header', { hasText: 'Exec Sessions' }) });
}

/** One text for each row that is drawn: title and description. */
async function rows(): Promise<string[]> {
  const texts = await tree().locator('.monaco-list-row').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

function activeTerminal(): Promise<string | undefined> {
  return host.evaluate(({ vscode }) => vscode.window.activeTerminal?.name);
}
