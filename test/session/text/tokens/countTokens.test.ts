import { describe, expect, test } from 'vitest';
import { countTokens, countTokensUpTo } from '../../../../src/session/text/tokens/countTokens';
import { oracleTokens } from './oracle';
import { createRandom, randomText, sampleTexts } from './sampleTexts';

function tokens(text: string): number {
  return countTokens(Buffer.from(text));
}

/** Without halves of characters at its ends. */
function wholeCharacters(text: string): string {
  return Buffer.from(text).toString('utf8');
}

const RUNS = ['a', 'A', ' ', '\n', '\r\n', '=', '-', '0', 'é', '漢', '😀', '\u0301', 'aB', 'ab', ' \n', "'s", 'x\n'];

describe('tokens are counted as the encoder makes them', () => {
  test.each(Object.keys(sampleTexts))('in slices of %s', (name) => {
    const text = sampleTexts[name]!;
    const random = createRandom(3);
    for (let round = 0; round < 20; round++) {
      const start = random(text.length);
      const slice = wholeCharacters(text.slice(start, start + random(10_000)));

      expect(tokens(slice)).toBe(oracleTokens(slice));
    }
  });

  test('in text of any characters', () => {
    const random = createRandom(4);
    for (let round = 0; round < 2_000; round++) {
      const text = randomText(random, 200);

      expect([text, tokens(text)]).toEqual([text, oracleTokens(text)]);
    }
  });

  test.each(RUNS)('in 3,000 times %j', (unit) => {
    const run = unit.repeat(3_000);

    expect(tokens(run)).toBe(oracleTokens(run));
  });

  test('in words of every length around that where the way of counting changes', () => {
    const random = createRandom(5);
    for (let length = 250; length < 262; length++) {
      const word = Array.from({ length }, () => 'acgt'[random(4)]!).join('');

      expect(tokens(word)).toBe(oracleTokens(word));
    }
  });

  test('in what looks like a special token', () => {
    expect(tokens('<|endoftext|>')).toBe(oracleTokens('<|endoftext|>'));
  });

  /** Expected is what tiktoken counts; the oracle takes the mark for white space. */
  test('in text with byte order marks', () => {
    expect(['\ufeff\ufeffimport', '  \ufeff  x', '\ufeff\n\nabc'].map(tokens)).toEqual([2, 4, 2]);
  });

  test('in nothing', () => {
    expect(tokens('')).toBe(0);
  });
});

describe('a megabyte without a break is counted', () => {
  test.each([
    ['a', 125_000],
    [' ', 7_813],
    ['漢', 333_333],
  ])('of %j', (unit, expected) => {
    expect(tokens(unit.repeat(1_000_000 / Buffer.byteLength(unit)))).toBe(expected);
  });
});

test('counting up to a limit tells the number or that there are more', () => {
  const text = Buffer.from('one two three');

  expect([2, 3, 4].map((limit) => countTokensUpTo(text, limit))).toEqual([undefined, 3, 3]);
  expect(countTokensUpTo(Buffer.alloc(1_000_000, 'ab'), 7_000)).toBeUndefined();
});
