import { expect, test } from 'vitest';
import { pieceEnd } from '../../../../src/session/text/tokens/pieces';
import { createRandom, randomText } from './sampleTexts';

/** The pattern as published; JavaScript has no `(?i:)` of old and another idea of `\s`. */
const CONTRACTION = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?";
const SPACE = '\\p{White_Space}';
const PATTERN = new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+${CONTRACTION}`,
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*${CONTRACTION}`,
    '\\p{N}{1,3}',
    ` ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n/]*`,
    `${SPACE}*[\\r\\n]+`,
    `${SPACE}+(?!\\P{White_Space})`,
    `${SPACE}+`,
  ].join('|'),
  'gu',
);

function pieces(text: string): string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = pieceEnd(bytes, start, bytes.length);
    found.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return found;
}

test.each([
  ['HTTPServer parseJSON', ['HTTPServer', ' parse', 'JSON']],
  ["it's WE'LL 'tis", ["it's", " WE'LL", " '", 'tis']],
  ['1234567', ['123', '456', '7']],
  ['a  b\t1', ['a', ' ', ' b', '\t', '1']],
  ['x \n \n  y', ['x', ' \n \n', ' ', ' y']],
  ['};\n//\n\n/usr', ['};\n//\n\n/', 'usr']],
  ['漢字AB', ['漢字', 'AB']],
  ['\u0301AB\u0301', ['\u0301AB\u0301']],
  ['\u0301AB', ['\u0301', 'AB']],
  ['end  ', ['end', '  ']],
])('%j falls into its pieces', (text, expected) => {
  expect(pieces(text)).toEqual(expected);
});

test('any text falls into the pieces that the pattern finds', () => {
  const random = createRandom(2);
  for (let round = 0; round < 3_000; round++) {
    const text = randomText(random, 60);

    expect(pieces(text)).toEqual(text.match(PATTERN) ?? []);
  }
});

test('bytes that are no UTF-8 are passed over one by one', () => {
  const bytes = Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x41, 0xf0, 0x9f]);
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; at = ends.at(-1)!) ends.push(pieceEnd(bytes, at, bytes.length));

  expect(ends).toEqual([1, 4, 5, 7]);
});
