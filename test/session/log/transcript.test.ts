import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ByteLog } from '../../../src/session/log/byteLog';
import { LinePattern, PatternTimeoutError } from '../../../src/session/text/linePattern';
import { SpoolFolder } from '../../../src/session/log/spool';
import type { ReadableText } from '../../../src/session/text/textReader';
import { countLines, readLines, readTail, searchLines } from '../../../src/session/log/transcript';
import { tempDir } from '../../support/tempDir';

const KIB = 1_024;
const SMALL_MEMORY = { headBytes: 64 * KIB, tailBytes: 64 * KIB };

function pattern(source: string): LinePattern {
  const parsed = LinePattern.parse(source);
  if (parsed.kind === 'invalid') throw new Error(parsed.message);
  return parsed.pattern;
}

/** A transcript with the lines 1 to `count`, appended in pieces as a terminal is read. */
function numbered(log: ByteLog, count: number, unfinished = ''): ReadableText {
  const bytes = Buffer.from(Array.from({ length: count }, (_, index) => `${String(index + 1)}\n`).join(''));
  for (let start = 0; start < bytes.length; start += 4_001) log.append(bytes.subarray(start, start + 4_001));
  return { log, unfinishedLine: Buffer.from(unfinished) };
}

function texts(lines: readonly { bytes: Buffer }[]): string[] {
  return lines.map((line) => line.bytes.toString());
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

describe.each([
  ['in memory', false],
  ['mostly in the spool', true],
])('a transcript that is %s', (_, isSpooled) => {
  function transcript(count: number, unfinished = ''): ReadableText {
    const log = isSpooled
      ? new ByteLog(SMALL_MEMORY, new SpoolFolder(tempDir()).createSpool())
      : new ByteLog({ headBytes: 1e9, tailBytes: 1e9 });
    return numbered(log, count, unfinished);
  }

  test('gives any lines, byte for byte', async () => {
    const text = transcript(200_000);
    for (const [first, last] of [
      [1, 3],
      [100_000, 100_010],
      [199_999, 200_000],
      [9_999, 10_001],
    ] as const) {
      const result = await readLines(text, first, last);

      expect([texts(result.lines), result.totalLines, result.isIncomplete]).toEqual([range(first, last), 200_000, false]);
    }
    const everything = await readLines(text, 1, 200_000);
    expect(texts(everything.lines)).toEqual(range(1, 200_000));
    expect(everything.lines.every((line, index) => line.number === index + 1)).toBe(true);
  });

  test('gives its end, an unfinished line included', async () => {
    const result = await readTail(transcript(100_000, 'name? '), 3);

    expect([texts(result.lines), result.totalLines]).toEqual([['99999', '100000', 'name? '], 100_001]);
  });

  test('gives what there is of lines beyond its end', async () => {
    const result = await readLines(transcript(5), 4, 900);

    expect([texts(result.lines), result.isIncomplete]).toEqual([['4', '5'], false]);
  });

  test('is searched with the lines around each match, and matches beyond the limit are counted', async () => {
    const result = await searchLines(transcript(100_000), { pattern: pattern('^7777\\d?$'), context: 1, maxMatches: 3 });

    expect(result.lines.map(({ number, isMatch }) => `${String(number)}${isMatch ? '!' : ''}`)).toEqual([
      '7776',
      '7777!',
      '7778',
      '77769',
      '77770!',
      '77771!',
      '77772!',
    ]);
    expect([result.matchCount, result.totalLines, result.isIncomplete]).toEqual([11, 100_000, false]);
  });
});

test('lines that a budget had no room for are counted, and the rest keeps its numbers', async () => {
  const folder = new SpoolFolder(tempDir(), () => ({ sessionBytes: 128 * KIB, totalBytes: 1e9 }));
  const text = numbered(new ByteLog(SMALL_MEMORY, folder.createSpool()), 200_000);

  const early = await readLines(text, 20_000, 20_002);
  const lost = await readLines(text, 100_000, 100_002);
  const late = await readTail(text, 2);
  const search = await searchLines(text, { pattern: pattern('^(5|199999)$'), context: 0, maxMatches: 9 });

  expect([texts(early.lines), early.isIncomplete]).toEqual([['20000', '20001', '20002'], false]);
  expect([texts(lost.lines), lost.isIncomplete]).toEqual([[], true]);
  expect([texts(late.lines), late.lines[0]?.number]).toEqual([['199999', '200000'], 199_999]);
  expect([texts(search.lines), search.isIncomplete]).toEqual([['5', '199999'], true]);
  expect(text.log.droppedBytes).toBeGreaterThan(500_000);
  expect(countLines(text)).toBe(200_000);
});

test('a line that never ends is one line', async () => {
  const log = new ByteLog(SMALL_MEMORY, new SpoolFolder(tempDir()).createSpool());
  for (let count = 0; count < 100; count++) log.append(Buffer.alloc(10_000, 'x'));

  const result = await readTail({ log, unfinishedLine: Buffer.from('end') }, 1);

  expect([result.totalLines, result.lines[0]?.bytes.length]).toEqual([1, 1_000_003]);
});

test('a bad pattern is told, and one that would never come to an end is given up', () => {
  expect(LinePattern.parse('(')).toMatchObject({ kind: 'invalid', message: expect.stringContaining('Unterminated group') });
  expect(() => pattern('^(a+)+$').test([`${'a'.repeat(40)}!`])).toThrow(PatternTimeoutError);
  expect(pattern('b').test(['abc', 'x'])).toEqual([true, false]);
});

describe('a spool', () => {
  test('lies in a folder for its owner alone, in a file without a name', () => {
    const parent = tempDir();
    const spool = new SpoolFolder(parent).createSpool();
    spool.append(Buffer.from('secret'));

    const [name = ''] = readdirSync(parent);
    const folder = path.join(parent, name);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual([]);
    expect(spool.read(2, 3).toString()).toBe('cre');
  });

  test('stays within the budgets of its session and of all together, and gives its share back', () => {
    const folder = new SpoolFolder(tempDir(), () => ({ sessionBytes: 100, totalBytes: 150 }));
    const first = folder.createSpool();
    const second = folder.createSpool();
    const bytes = Buffer.alloc(60);

    const places = [first.append(bytes), first.append(bytes), second.append(bytes), second.append(bytes)];
    first.dispose();

    expect(places).toEqual([0, undefined, 0, undefined]);
    expect(folder.usedBytes).toBe(60);
    expect(folder.createSpool().append(bytes)).toBe(0);
  });

  test('leaves nothing behind', () => {
    const parent = tempDir();
    const folder = new SpoolFolder(parent);
    const spool = folder.createSpool();
    spool.append(Buffer.from('x'));

    folder.dispose();

    expect([readdirSync(parent), folder.usedBytes, spool.append(Buffer.from('y'))]).toEqual([[], 0, undefined]);
  });

  test('takes a disk that fails for one that is full', () => {
    const spool = new SpoolFolder(path.join(tempDir(), 'not', 'there')).createSpool();

    expect(spool.append(Buffer.from('x'))).toBeUndefined();
  });

  test('makes no folder before it is needed', () => {
    const parent = tempDir();
    new SpoolFolder(parent).createSpool();

    expect(readdirSync(parent)).toEqual([]);
  });
});
