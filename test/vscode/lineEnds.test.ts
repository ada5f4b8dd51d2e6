import { expect, it } from 'vitest';
import { LineEnds } from '../../src/vscode/terminal/lineEnds';

/** Chunks, and what a terminal gets for them. */
const CASES: readonly (readonly [readonly string[], string])[] = [
  [['one line'], 'one line'],
  [['a\nb\n'], 'a\r\nb\r\n'],
  [['a\r\nb\r\n'], 'a\r\nb\r\n'],
  [['a\r', '\nb'], 'a\r\nb'],
  [['a', '\nb'], 'a\r\nb'],
  [['\n', '\n'], '\r\n\r\n'],
  [['a\r', '', '\nb'], 'a\r\nb'],
  [['50%\r100%\n'], '50%\r100%\r\n'],
  [[''], ''],
];

it.each(CASES)('gives each line of %j its carriage return once', (chunks, expected) => {
  const lineEnds = new LineEnds();

  const text = chunks.map((chunk) => lineEnds.push(Buffer.from(chunk)).toString()).join('');

  expect(text).toBe(expected);
});
