import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TerminalInput, TerminalInputSplitter } from '../../src/vscode/terminal/terminalInput';

const ANSWER = '\u001b[?7727;0$y';

let isAwaiting: boolean;
let inputs: TerminalInput[];
let splitter: TerminalInputSplitter;

beforeEach(() => {
  vi.useFakeTimers();
  isAwaiting = true;
  inputs = [];
  splitter = new TerminalInputSplitter(
    () => isAwaiting,
    (input) => inputs.push(input),
  );
});

afterEach(() => {
  splitter.dispose();
  vi.useRealTimers();
});

const keys = (text: string): TerminalInput => ({ kind: 'keys', text });
const report = (text: string): TerminalInput => ({ kind: 'report', text });
const progress: TerminalInput = { kind: 'progress' };

it('takes the answer to our question out from between keys', () => {
  splitter.push(`ab${ANSWER}cd${ANSWER}${ANSWER}`);

  expect(inputs).toEqual([keys('ab'), progress, keys('cd'), progress, progress]);
});

it.each(Array.from(ANSWER.slice(1), (_, index) => index + 1))(
  'puts an answer together that was split after %i characters',
  (at) => {
    splitter.push(`a${ANSWER.slice(0, at)}`);
    splitter.push(`${ANSWER.slice(at)}b`);

    expect(inputs).toEqual([keys('a'), progress, keys('b')]);
  },
);

it('lets the Escape key through after a moment in which the rest of an answer could have come', async () => {
  splitter.push('\u001b');
  const atOnce = [...inputs];

  await vi.advanceTimersByTimeAsync(50);

  expect([atOnce, inputs]).toEqual([[], [keys('\u001b')]]);
});

it('lets the Escape key through at once while no answer is expected', () => {
  isAwaiting = false;
  splitter.push('\u001b');

  expect(inputs).toEqual([keys('\u001b')]);
});

it('holds nothing back for good when other keys follow', () => {
  splitter.push('\u001b[');
  splitter.push('A');

  expect(inputs).toEqual([keys('\u001b[A')]);
});

const REPORTS: readonly (readonly [string, string])[] = [
  ['cursor position', '\u001b[12;40R'],
  ['extended cursor position', '\u001b[?12;40R'],
  ['status', '\u001b[0n'],
  ['primary attributes', '\u001b[?1;2c'],
  ['secondary attributes', '\u001b[>0;276;0c'],
  ['private mode', '\u001b[?2004;1$y'],
  ['mode', '\u001b[4;2$y'],
  ['foreground colour', '\u001b]10;rgb:cccc/cccc/cccc\u001b\\'],
  ['background colour', '\u001b]11;rgb:1e1e/1e1e/1e1e\u0007'],
  ['palette colour', '\u001b]4;1;rgb:cd/00/00\u001b\\'],
  ['setting', '\u001bP1$r0m\u001b\\'],
  ['version', '\u001bP>|xterm.js(5.6.0)\u001b\\'],
  ['size in characters', '\u001b[8;24;80t'],
  ['focus gained', '\u001b[I'],
  ['focus lost', '\u001b[O'],
  ['keyboard protocol', '\u001b[?0u'],
];

it.each(REPORTS)('tells a report from keys: %s', (_name, text) => {
  splitter.push(`x${text}y`);

  expect(inputs).toEqual([keys('x'), report(text), keys('y')]);
});

const KEYS = [
  '\r',
  '\u0003',
  '\u001b[A',
  '\u001bOP',
  '\u001b[1;5C',
  '\u001b[15~',
  '\u001b[Z',
  '\u001b[200~pasted\u001b[201~',
  '\u001b[<0;10;5M',
  'é😀',
];

it.each(KEYS)('leaves keys, pasted text and the mouse as they are: %j', (text) => {
  splitter.push(text);

  expect(inputs).toEqual([keys(text)]);
});
