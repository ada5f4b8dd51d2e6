import { expect, it } from 'vitest';
import { oneLine } from '../../src/vscode/oneLine';

const FAMILY = '👩‍👩‍👧';

/** Texts and what stands in a list of at most ten characters a row. */
const CASES: readonly (readonly [string, string])[] = [
  ['npm test', 'npm test'],
  ['  a \n\t b  ', 'a b'],
  ['\u001b]0;x\u0007y', ']0;x y'],
  ['a\u202egnp.exe', 'a gnp.exe'],
  ['a\u0000b\ud800c', 'a b c'],
  ['0123456789', '0123456789'],
  ['0123456789a', '012345678…'],
  ['01234567  9', '01234567 9'],
  ['01234567   9ab', '01234567…'],
  [FAMILY.repeat(10), FAMILY.repeat(10)],
  [FAMILY.repeat(11), `${FAMILY.repeat(9)}…`],
  ['', ''],
  [`a${' '.repeat(100_000)}b`, 'a…'],
];

it.each(CASES)('writes %j as %j', (text, expected) => {
  expect(oneLine(text, 10)).toBe(expected);
});
