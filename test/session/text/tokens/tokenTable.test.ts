import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { describe, expect, test } from 'vitest';
import { loadTokenTable, LONGEST_TOKEN_BYTES, NO_RANK } from '../../../../src/session/text/tokens/tokenTable';
import { builtDataFolder } from './builtData.mjs';

test('the table knows the rank of every token', () => {
  const table = loadTokenTable();
  const wrong: number[] = [];
  let longest = 0;
  for (const [rank, token] of ranks.entries()) {
    const bytes = typeof token === 'string' ? Buffer.from(token) : Buffer.from(token);
    longest = Math.max(longest, bytes.length);
    if (table.rank(bytes, 0, bytes.length) !== rank) wrong.push(rank);
    if (bytes.length === 2 && table.rankOfPair(bytes, 0) !== rank) wrong.push(rank);
  }

  expect(wrong).toEqual([]);
  expect(longest).toBe(LONGEST_TOKEN_BYTES);
});

test('what is no token has no rank', () => {
  const table = loadTokenTable();
  const texts = ['qzxv', '\u0000\u0001', 'a'.repeat(LONGEST_TOKEN_BYTES + 1)].map((text) => Buffer.from(text));

  expect(texts.map((bytes) => table.rank(bytes, 0, bytes.length))).toEqual([NO_RANK, NO_RANK, NO_RANK]);
  expect(table.rankOfPair(Buffer.from([0xff, 0xfe]), 0)).toBe(NO_RANK);
});

describe('a table is refused', () => {
  test('that is not there, with its place', () => {
    expect(() => loadTokenTable('/nowhere')).toThrow('The table of tokens at /nowhere/o200k_base.tokens cannot be read');
  });

  test.each([0, 3, 1_000, 1_000_000])('that was cut to %i bytes', (length) => {
    const folder = mkdtempSync(join(tmpdir(), 'exec-sessions-'));
    try {
      const whole = readFileSync(join(builtDataFolder, 'o200k_base.tokens'));
      writeFileSync(join(folder, 'o200k_base.tokens'), whole.subarray(0, length));

      expect(() => loadTokenTable(folder)).toThrow('cannot be read');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
