import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { artifactPath } from '../workbench/artifacts.mjs';
import { allowTools, callTool, closeTerminals, execCommand, type Reply } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { frameTimes, keyLatencies, summary } from './support/responsiveness';

/** Typed into an editor while the tab beside it is flooded. */
const TYPED = 'The keys that a person types arrive one after the other, also now.';
/** Numbered lines, as fast as a terminal of the system takes them. */
const FLOOD = `yes "$(printf %070d 7)" | cat -n`;
/** More than the tab is given after the last notice: what it keeps waiting, in lines of the flood. */
const SCROLLBACK_LINES = 60_000;
/** What a person bears at the very most until a program that they interrupt has ended; usually it is a moment. */
const END_TIMEOUT_MS = 60_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost({ settings: { 'terminal.integrated.scrollback': SCROLLBACK_LINES } });
  await allowTools(host);
  await closeTerminals(host);
});

afterAll(async () => {
  await host.stop();
});

it('leaves the window usable under a flood, says what the tab skips, and keeps every line', async () => {
  const { sessionId } = await execCommand(host, FLOOD, { yield_time_ms: 1_500, title: 'flood' });
  await host.window.waitForTerminalText(/^\d{5,}\s+0+7$/m);

  const frames = await frameTimes(host.window.page);
  const keys = await typeIntoEditor(TYPED);
  const gaps = await frames.stop();
  await host.window.screenshot('flood-while-typing');
  const interruptedAt = performance.now();
  await interrupt();
  const interruptMs = performance.now() - interruptedAt;
  await host.window.screenshot('flood-ended');
  const transcript = await callTool(host, 'read_output', { session_id: sessionId, tail: 3 });

  const figures = { frameGapsMs: summary(gaps), keyLatenciesMs: summary(keys), interruptMs: Math.round(interruptMs) };
  writeFileSync(artifactPath('flood-figures.json'), `${JSON.stringify(figures, undefined, 2)}\n`);
  expect(await editorText()).toBe(TYPED);
  expect(lastNumber(transcript)).toBeGreaterThan(100_000);
  expect((transcript as unknown as { totalLines: number }).totalLines - lastNumber(transcript)).toBeLessThanOrEqual(1);
});

it('shows where something was skipped', async () => {
  // The last of many notices.
  await host.window.page.locator('.terminal-wrapper.active .xterm').click();
  await host.window.page.keyboard.press('Control+f');
  await host.window.page.locator('.terminal-wrapper.active .simple-find-part input').fill('bytes skipped');
  await host.window.page.keyboard.press('Enter');

  await host.window.waitForTerminalText(/^[\d,]+ bytes skipped: more than a terminal can show$/m);
  await host.window.screenshot('flood-skip-notice');
});

/** Presses Ctrl-C in the tab, and waits for the line that tells of the end. */
async function interrupt(): Promise<void> {
  await host.window.page.locator('.terminal-wrapper.active .xterm').click();
  await host.window.page.keyboard.press('Control+c');
  await host.window.waitForTerminalText(/^ended by signal SIGINT · [\d,]+ bytes not shown here$/m, END_TIMEOUT_MS);
}

/** Types a text into a new editor, and returns how long each key took to be drawn. */
async function typeIntoEditor(text: string): Promise<number[]> {
  await host.evaluate(async ({ vscode }) => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
  });
  const isTyped = async (): Promise<boolean> => (await editorText()) === text;
  return keyLatencies(host.window.page, text, isTyped);
}

function editorText(): Promise<string | undefined> {
  return host.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText());
}

function lastNumber({ output }: Reply): number {
  return Number([...output.matchAll(/^ *(\d+)\t0+7$/gm)].at(-1)?.[1]);
}
