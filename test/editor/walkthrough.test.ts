import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { until } from '../support/until';
import { allowCall, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TIMEOUT_MS = 60_000;
const WALKTHROUGH = 'exec-sessions.exec-sessions#gettingStarted';
const STEPS = ['startServer', 'watchAndType', 'password', 'takeOver', 'transcript', 'otherAgents'];
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
/** Typed where the terminal hides it: it must not be found anywhere else. */
const SECRET = 'canary-4f1d';
const SERVER = 'python3 -u -m http.server 0 --bind 127.0.0.1';

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await host.window.chat.waitForModel(host.model.name);
});

afterAll(async () => {
  await host.stop();
});

it.each(Object.entries(THEMES))('shows a picture beside each step, in the colours of the %s theme', async (name, theme) => {
  await host.evaluate(async ({ vscode }, value) => {
    const target = vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', value, target);
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  }, theme);
  const backgrounds: string[] = [];
  for (const step of STEPS) {
    await openStep(step);
    const picture = host.window.page
      .frameLocator('.getting-started-media iframe')
      .frameLocator('#active-frame')
      .locator('svg')
      .first();
    await picture.waitFor();
    backgrounds.push(await picture.locator('rect').first().evaluate(fillOf));
    await host.window.screenshot(`walkthrough-${name}-${step}`);
  }

  expect(new Set(backgrounds).size).toBe(1);
  expect(brightness(backgrounds[0]!) > 128).toBe(name === 'light');
});

it('lets somebody who has never seen it start a server, from the walkthrough alone', async () => {
  await openStep('startServer');
  await press('Ask for a Server');
  host.model.plan(
    { tool: 'exec_command', input: { cmd: SERVER, title: 'web server', wait_for: 'Serving' } },
    { text: 'It runs.' },
  );
  await host.window.chat.submit();
  const question = await host.window.chat.waitForConfirmation();
  await host.window.screenshot('walkthrough-1-asks');
  const { isRunning } = await allowCall(host);
  await host.window.waitForTerminalText(/Serving HTTP on 127\.0\.0\.1 port \d+/);
  await host.window.screenshot('walkthrough-1-server');

  expect(question.replaceAll('\u00a0', ' ')).toContain('http.server');
  expect(isRunning).toBe(true);
});

it('lets them take the server over, and give it back', async () => {
  await openStep('takeOver');
  await press('Take Over Session');
  await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toEqual(['web server (held by you)']);
  await host.window.screenshot('walkthrough-4-taken-over');
  await press('Give Back Session');

  await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toEqual(['web server']);
});

it('lets them type a password that no agent gets to see', async () => {
  await openStep('password');
  await press('Ask for a Password Prompt');
  const cmd = `read -rsp 'Password: ' x; echo; echo "\${#x} characters were typed"; sleep 2`;
  host.model.plan({ tool: 'exec_command', input: { cmd, title: 'password prompt' } }, { text: 'It asks you.' });
  await host.window.chat.submit();
  const asking = await allowCall(host);
  await until(
    'we ask for it',
    async () => (await host.window.notifications()).some((text) => text.includes('password')),
    TIMEOUT_MS,
  );
  await host.window.screenshot('walkthrough-3-asks-for-it');
  await host.window.page.getByRole('button', { name: 'Show Terminal' }).click();
  await host.window.waitForTerminalText(/^Password:$/m);
  await host.window.page.keyboard.type(`${SECRET}\n`);
  await host.window.waitForTerminalText(/^11 characters were typed$/m);
  await host.window.screenshot('walkthrough-3-typed');
  host.model.plan({ tool: 'write_stdin', input: { session_id: asking.sessionId, chars: '' } }, { text: 'Thank you.' });
  await host.window.chat.send('Go on.');
  const after = await allowCall(host);

  expect(after.output).toContain('11 characters were typed');
  expect(after.status).toContain('The user typed hidden input');
  expect(host.model.requests.filter(({ wholeText }) => wholeText.includes(SECRET))).toEqual([]);
});

it('lets them read the transcript', async () => {
  await openStep('transcript');
  await press('Open Transcript');
  await host.window.pick('password prompt');
  const text = await until(
    'the transcript is open',
    () => host.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText()),
    TIMEOUT_MS,
  );
  await host.window.screenshot('walkthrough-5-transcript');

  expect(text).toContain('11 characters were typed');
  expect(text).not.toContain(SECRET);
});

async function openStep(step: string): Promise<void> {
  await host.evaluate(
    ({ vscode }, [category, id]) =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', { category, step: `${category}#${id}` }, false),
    [WALKTHROUGH, step] as const,
  );
  await stepOf(step).waitFor();
  if (!(await isExpanded(step))) await stepOf(step).click();
  await until('the step is open', () => isExpanded(step), TIMEOUT_MS);
}

function stepOf(step: string): Locator {
  return host.window.page.locator(`.getting-started-step[data-step-id="${WALKTHROUGH}#${step}"]`);
}

async function isExpanded(step: string): Promise<boolean> {
  return (await stepOf(step).getAttribute('class'))?.includes('expanded') === true;
}

/** Presses a button of the open step. */
async function press(label: string): Promise<void> {
  await host.window.page.locator('.getting-started-step.expanded').getByRole('button', { name: label, exact: true }).click();
}

/** The colour that an element of a page is filled with, as the browser sees it. */
function fillOf(element: unknown): string {
  const scope = globalThis as unknown as { getComputedStyle(of: unknown): { fill: string } };
  return scope.getComputedStyle(element).fill;
}

/** From 0 for black to 255 for white. */
function brightness(colour: string): number {
  const channels = [...colour.matchAll(/\d+/g)].slice(0, 3).map(Number);
  return channels.reduce((sum, channel) => sum + channel, 0) / channels.length;
}
