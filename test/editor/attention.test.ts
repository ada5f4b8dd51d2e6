import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowTools, callTool, execCommand, focusSession, setRevealMode } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';
import { tooltipOf } from './support/tooltipOf';

const TIMEOUT_MS = 60_000;
/** Takes lines and goes on without them, like a development server. */
const SERVER = `node -e "process.stdin.on('data', () => {}); setInterval(() => {}, 1e6); console.log('ready')"`;
const FULL_SCREEN = `printf '\\033[?1049hmenu'; read -rsn 1 key; printf '\\033[?1049l'`;

let host: EditorHost;
let list: SessionList;

beforeAll(async () => {
  host = await startEditorHost();
  list = new SessionList(host.window.page);
});

afterAll(async () => {
  await host.stop();
});

it('takes no room in the status bar while there are no sessions', async () => {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));

  await list.enlarge();
  await list.welcome().waitFor();
  expect(await statusItem().count()).toBe(0);
  expect(await badgeText()).toBe('');
});

it('tells every state in the list by its words and its icon', async () => {
  await allowTools(host);
  await setRevealMode(host, 'never');
  const later = { yield_time_ms: 500 };
  await execCommand(host, 'true', { title: 'ended well' });
  await execCommand(host, 'exit 3', { title: 'failed' });
  await execCommand(host, 'kill -9 $$', { title: 'killed' });
  const stopped = await execCommand(host, 'sleep 1000', { title: 'stopped', ...later });
  await callTool(host, 'terminate_session', { session_id: stopped.sessionId });
  await execCommand(host, 'while sleep 1; do :; done', { title: 'build', ...later });
  await execCommand(host, SERVER, { title: 'dev server', ...later });
  await execCommand(host, FULL_SCREEN, { title: 'menu', ...later });
  await execCommand(host, 'read -p "Publish? " x', { title: 'release', ...later });
  await execCommand(host, 'read -rsp "Password: " x', { title: 'deploy', ...later });

  const expected: readonly (readonly [title: string, words: RegExp, icon: string])[] = [
    ['deploy', /^waiting for hidden input · \d+ s · chat$/, 'key'],
    ['release', /^waiting for input · \d+ s · chat$/, 'question'],
    ['menu', /^waiting for keys · \d+ s · chat$/, 'window'],
    ['dev server', /^listening · \d+ s · chat$/, 'broadcast'],
    ['build', /^running · \d+ s · chat$/, 'loading'],
    ['stopped', /^ended by the agent( · .* ago)? · chat$/, 'circle-slash'],
    ['killed', /^ended by signal SIGKILL/, 'zap'],
    ['failed', /^exit code 3/, 'error'],
    ['ended well', /^exit code 0/, 'pass'],
  ];
  for (const [title, words, icon] of expected) {
    await list.row(title, words).waitFor({ timeout: TIMEOUT_MS });
    expect([title, await list.icon(title)]).toEqual([title, icon]);
  }
  await host.window.screenshot('session-states');
});

it('counts what needs a person on the badge, and colours the status bar only for that', async () => {
  await expect.poll(badgeText, { timeout: TIMEOUT_MS }).toBe('1');
  expect(await statusItem().innerText()).toMatch(/^\s*5$/);
  expect(await isColoured()).toBe(true);
  expect(await statusItem().locator('a').getAttribute('aria-label')).toBe(
    '5 exec sessions are running, deploy needs you: waiting for hidden input',
  );
  await tooltipOf(host.window.page, statusItem(), 'deploy needs you');
  await host.window.screenshot('status-bar-needs-you');
});

it('leads to the session that needs a person with a click, and is calm when it got what it wanted', async () => {
  await statusItem().click();
  await host.window.waitForTerminalText(/Password:$/m);
  await host.window.typeInTerminal('secret\n');

  await list.row('deploy', /^exit code 0/).waitFor({ timeout: TIMEOUT_MS });
  await expect.poll(isColoured).toBe(false);
  await expect.poll(badgeText).toBe('');
  expect(await statusItem().innerText()).toMatch(/^\s*4$/);
  await host.window.screenshot('status-bar-calm');
});

it('needs a person for the question of a program that the person started', async () => {
  await list.menu('release', 'Terminate Session');
  await list.row('release', /^ended by you/).waitFor();
  await list.menu('release', 'Restart Session');

  await list.row('release', /^waiting for input · \d+ s · you$/).waitFor({ timeout: TIMEOUT_MS });
  await expect.poll(isColoured, { timeout: TIMEOUT_MS }).toBe(true);
  await expect.poll(badgeText).toBe('1');
});

it('tells who holds a session, and offers the opposite', async () => {
  await list.press('build', 'Take Over Session');
  await list.row('build', /^running · held by you · \d+ s · chat$/).waitFor();
  await host.window.screenshot('session-held');

  await list.press('build', 'Give Back Session');
  await list.row('build', /^running · \d+ s · chat$/).waitFor();
});

it('shows all that is known of a session to who points at it', async () => {
  const { sessionId } = await execCommand(host, 'echo hello; sleep 1000', { title: 'pointed at', yield_time_ms: 500 });

  const hover = await tooltipOf(host.window.page, list.row('pointed at'), 'Started by');
  await host.window.screenshot('session-tooltip');
  const text = (await hover.innerText()).replaceAll('\u00a0', ' ');
  for (const fact of [
    'echo hello; sleep 1000',
    /State: running · \d+ s/,
    'Typed into by: you and agents',
    /Started by: an agent in the chat/,
    /Environment: .*machine/,
    'Shell: /bin/bash, with the login profile',
    'Terminal: 80 columns, 24 rows',
    'Output: 6 bytes of text',
    `Session: ${String(sessionId)}`,
  ]) {
    expect(text).toMatch(fact);
  }
});

it('says to a screen reader what a row shows', async () => {
  expect(await list.row('pointed at').getAttribute('aria-label')).toMatch(
    /^Session pointed at, running · \d+ s, started by an agent in the chat/,
  );
});

it('hides in a hidden view without work, and shows the right ages when it is back', async () => {
  await host.window.runCommand('View: Show Search');
  await focusSession(host, (await execCommand(host, 'true', { title: 'meanwhile' })).sessionId);
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));

  await list.row('meanwhile', /^exit code 0/).waitFor({ timeout: TIMEOUT_MS });
});

function statusItem(): Locator {
  return host.window.page.locator('.statusbar-item[id*="execSessions.status"]');
}

async function isColoured(): Promise<boolean> {
  return ((await statusItem().getAttribute('class')) ?? '').includes('warning-kind');
}

/** On the icon of the Explorer; empty where there is none. */
async function badgeText(): Promise<string> {
  const { page } = host.window;
  const icon = page.locator('.activitybar .action-item').filter({ has: page.locator('.codicon-explorer-view-icon') });
  return (await icon.locator('.badge-content').allInnerTexts()).join('');
}
