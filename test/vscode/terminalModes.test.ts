import { Terminal } from '@xterm/headless';
import { afterEach, expect, it } from 'vitest';
import { PROGRESS_QUERY, TerminalFeed } from '../../src/vscode/terminal/terminalFeed';
import { noticeLine } from '../../src/vscode/terminal/tabText';

/** More than a feed keeps waiting, so that it leaves out all but the end. */
const FLOOD = `${'0123456789'.repeat(7)}\r\n`.repeat(60_000);
/** What the feed keeps of what waits. */
const KEPT_BYTES = 32 * 1_024;
const ALT = '\u001b[?1049h';
const NORMAL = '\u001b[?1049l';

const disposables: { dispose(): void }[] = [];

afterEach(() => {
  for (const disposable of disposables.splice(0)) disposable.dispose();
});

/** What a program prints before a flood, in the middle of it, and at its end; only the middle is left out. */
const CASES: readonly (readonly [what: string, before: string, within: string, after: string])[] = [
  ['enters the other screen', '', ALT, 'on it'],
  ['leaves the other screen', ALT, NORMAL, ''],
  ['leaves the other screen and comes back', ALT, `${NORMAL}text${ALT}`, ''],
  ['hides the cursor', '', '\u001b[?25l', ''],
  ['shows the cursor', '\u001b[?25l', '\u001b[?25h', ''],
  ['hides and shows the cursor', '', '\u001b[?25l\u001b[?25h', ''],
  ['asks for bracketed paste', '', '\u001b[?2004h', ''],
  ['ends bracketed paste', '\u001b[?2004h', '\u001b[?2004l', ''],
  ['asks for the mouse', '', '\u001b[?1000h\u001b[?1002h\u001b[?1006h', ''],
  ['lets the mouse go by the name of another of its modes', '\u001b[?1003;1006h', '\u001b[?1000l\u001b[?1006l', ''],
  ['turns several modes at once', '\u001b[?1;7;25h', '\u001b[?1;7;25l\u001b[?45;1004h', ''],
  ['switches the keypad', '', '\u001b=', ''],
  ['switches the keypad back', '\u001b=', '\u001b>', ''],
  ['inserts', '', '\u001b[4h', ''],
  ['resets softly', '\u001b[?1h\u001b[?2004h\u001b[?25l\u001b[?1000h', '\u001b[!p', ''],
  ['resets all', `${ALT}\u001b[?1h\u001b[?2004h\u001b[?25l\u001b[?1000h\u001b[?1006h`, '\u001bc', ''],
  ['switches after what is left out', '', '', ALT],
  ['sets and leaves', '', `${ALT}\u001b[?1000h\u001b[?25l\u001b[?1000l\u001b[?25h${NORMAL}`, ''],
  ['writes with characters of the second block', '', '\u009b?25l\u009b?2004h', ''],
];

it.each(CASES)('leaves a terminal in the modes of the program when it %s', async (_what, before, within, after) => {
  const texts = [before, FLOOD, within, FLOOD, after];

  expect(modesOf(await slowTerminal(texts))).toEqual(modesOf(await fastTerminal(texts)));
});

it('goes on where a sequence was cut by what is left out', async () => {
  const texts = ['\u001b[?10', `49h${FLOOD}\u001b[?20`, `04h${FLOOD}`];

  expect(modesOf(await slowTerminal(texts))).toEqual(modesOf(await fastTerminal(texts)));
});

it('begins after a sequence and not within it', async () => {
  const texts = ['', `${'x'.repeat(3_000_000)}\u001b[?2004h${'y'.repeat(KEPT_BYTES - 4)}`];
  const terminal = await slowTerminal(texts);

  expect(textOf(terminal)).not.toContain('04h');
  expect(modesOf(terminal)).toEqual(modesOf(await fastTerminal(texts)));
});

it('gives back the lines at the bottom that a program had kept for itself', async () => {
  const terminal = await slowTerminal(['\u001b[1;20r', `${FLOOD}\u001b[r`, `${FLOOD}last line`]);
  const { active } = terminal.buffer;

  expect(active.cursorY).toBe(terminal.rows - 1);
  expect(active.getLine(active.baseY + active.cursorY)?.translateToString(true)).toBe('last line');
});

interface Modes {
  readonly screen: string;
  readonly isCursorHidden: boolean;
  readonly modes: object;
}

function modesOf(terminal: Terminal): Modes {
  // Not in the interface, but what the cursor and the mouse do depends on it.
  const { _core: core } = terminal as unknown as {
    _core: { coreService: { isCursorHidden: boolean }; coreMouseService: { activeEncoding: string } };
  };
  return {
    screen: terminal.buffer.active.type,
    isCursorHidden: core.coreService.isCursorHidden,
    modes: { ...propertiesOf(terminal.modes), mouseEncoding: core.coreMouseService.activeEncoding },
  };
}

/** The properties are getters, which a spread would not copy. */
function propertiesOf(modes: object): object {
  const names = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(modes) as object));
  const own = [...names, ...Object.keys(modes)].filter((name) => name !== 'constructor');
  return Object.fromEntries(own.map((name) => [name, (modes as Record<string, unknown>)[name]]));
}

function textOf({ buffer: { active } }: Terminal): string {
  return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true)).join('\n');
}

/** A terminal that was given the texts by a feed, and was too slow to get all of them. */
async function slowTerminal(texts: readonly string[]): Promise<Terminal> {
  const terminal = newTerminal();
  const feed = new TerminalFeed({
    write: (text) => terminal.write(text.replaceAll(PROGRESS_QUERY, '')),
    skipNotice: (bytes) => noticeLine(`${bytes} bytes skipped`),
  });
  disposables.push(feed);
  const answerAll = (): void => {
    while (feed.isAwaitingAnswer) feed.acknowledge();
  };
  for (const [at, text] of texts.entries()) {
    feed.push(Buffer.from(text));
    if (at === 0) answerAll();
  }
  answerAll();
  expect(feed.totalSkippedBytes).toBeGreaterThan(0);
  await finish(terminal);
  return terminal;
}

/** A terminal that was given all of the texts. */
async function fastTerminal(texts: readonly string[]): Promise<Terminal> {
  const terminal = newTerminal();
  for (const text of texts) terminal.write(text);
  await finish(terminal);
  return terminal;
}

function newTerminal(): Terminal {
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  disposables.push(terminal);
  return terminal;
}

async function finish(terminal: Terminal): Promise<void> {
  await new Promise<void>((resolve) => {
    terminal.write('', resolve);
  });
}
