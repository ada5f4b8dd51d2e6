import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until';
import { allowTools, callTool, closeTerminals, execCommand, focusSession, setRevealMode, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TIMEOUT_MS = 60_000;
/** Prints the size again and again, as programs that draw a screen look at it. */
const WATCH_SIZE = 'while sleep 0.2; do echo "$(tput cols) $(stty size)"; done';
/** Rows and columns of a session that no tab shows. */
const HEADLESS = { cols: 80, rows: 24 };

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await allowTools(host);
});

afterAll(async () => {
  await host.stop();
});

afterEach(async () => {
  await setRevealMode(host, 'longRunning');
  await closeTerminals(host);
});

it('gives the program the size of its tab, and keeps it while the tab is hidden', async () => {
  await setRevealMode(host, 'never');
  const { sessionId, ...reply } = await execCommand(host, WATCH_SIZE, { yield_time_ms: 2_000 });
  expect(sizesIn(reply.output)).toEqual([size(HEADLESS)]);

  await focusSession(host, sessionId);
  const small = await untilSizeIs((cols, rows) => cols !== HEADLESS.cols && rows !== HEADLESS.rows, sessionId);
  await host.window.runCommand('View: Toggle Maximized Panel');
  const tall = await untilSizeIs((_, rows) => rows > small.rows + 5, sessionId);
  await host.window.screenshot('resized-tab');
  await host.window.runCommand('View: Toggle Primary Side Bar Visibility');
  const wide = await untilSizeIs((cols) => cols > tall.cols + 5, sessionId);
  await host.window.runCommand('View: Hide Panel');
  await host.window.page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
  const hidden = await printedWithin(2_000, sessionId);

  expect(hidden).toEqual([size(wide)]);
});

it('shows again what a tab had shown that was closed when its session ended', async () => {
  await host.evaluate(async ({ vscode }) => {
    const settings = vscode.workspace.getConfiguration('execSessions');
    await settings.update('closeEndedTabs', 'all', vscode.ConfigurationTarget.Global);
  });
  await setRevealMode(host, 'always');
  const lines = Array.from({ length: 5 }, (_, index) => `line ${index}`);
  const { sessionId } = await execCommand(
    host,
    `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}; sleep 1; exit 3`,
  );
  await until('the tab is closed', async () => (await terminalNames(host)).length === 0, TIMEOUT_MS);

  const screens: string[] = [];
  for (let time = 0; time < 2; time++) {
    await focusSession(host, sessionId);
    const [screen] = await host.window.waitForTerminalText(/^line 0[^]*exit code 3$/m);
    screens.push(screen);
    await closeTerminals(host);
  }

  expect(screens).toEqual([[...lines, 'exit code 3'].join('\n'), [...lines, 'exit code 3'].join('\n')]);
});

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** A line that {@link WATCH_SIZE} prints. */
function size({ cols, rows }: Size): string {
  return `${cols} ${rows} ${cols}`;
}

/** The sizes that were printed, each once. */
function sizesIn(output: string): string[] {
  return [...new Set(output.match(/^\d+ \d+ \d+$/gm))];
}

/** Waits until the program has printed such a size. */
async function untilSizeIs(isWanted: (cols: number, rows: number) => boolean, sessionId: number): Promise<Size> {
  return until(
    'the program has the new size',
    async () => {
      const { output } = await callTool(host, 'read_output', { session_id: sessionId, tail: 1 });
      const [cols = 0, rows = 0] = sizesIn(output)[0]?.split(' ').map(Number) ?? [];
      return isWanted(cols, rows) ? { cols, rows } : undefined;
    },
    TIMEOUT_MS,
  );
}

/** The sizes that are printed from now on for a while. */
async function printedWithin(durationMs: number, sessionId: number): Promise<string[]> {
  await callTool(host, 'write_stdin', { session_id: sessionId, chars: '', yield_time_ms: 0 });
  const { output } = await callTool(host, 'write_stdin', { session_id: sessionId, chars: '', yield_time_ms: durationMs });
  return sizesIn(output);
}
