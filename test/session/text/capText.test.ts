import { describe, expect, test } from 'vitest';
import { ByteLog } from '../../../src/session/log/byteLog';
import {
  type CappedText,
  capText,
  EDGE_BYTES,
  MAX_BYTES_PER_TOKEN,
  SHORTEST_FORM_TOKENS,
} from '../../../src/session/text/capText';
import { oracleTokens } from './tokens/oracle';
import { createRandom, randomText, sampleTexts } from './tokens/sampleTexts';

const ROOMY = { headBytes: 4_000_000, tailBytes: 4_000_000 };
const MARKER = /\[… ([\d,]+) bytes, ([\d,]+) line ends omitted …\]\n/;

/** The last line is unfinished if it has no end. */
function capped(text: string, maxTokens: number, budget = ROOMY): CappedText {
  const log = new ByteLog(budget);
  const bytes = Buffer.from(text);
  const finished = bytes.lastIndexOf('\n') + 1;
  log.append(bytes.subarray(0, finished));
  return capText({ log, start: 0, unfinished: bytes.subarray(finished), maxTokens });
}

/** What stands before and after the line about the omission, which must tell the truth: all else is as it was. */
function endsOf(text: string, reply: CappedText): { head: string; tail: string } {
  const [marker, bytes, lines] = MARKER.exec(reply.text)!;
  const [before, tail] = reply.text.split(marker) as [string, string];
  // A head that does not end with a line gets a line end.
  const isCutInLine = Buffer.byteLength(before + tail) + reply.omittedBytes > reply.totalBytes;
  const head = isCutInLine ? before.slice(0, -1) : before;
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
  const omitted = text.slice(head.length, text.length - tail.length);
  expect({
    totalBytes: reply.totalBytes,
    omittedBytes: reply.omittedBytes,
    omittedLines: reply.omittedLines,
    told: [bytes, lines],
  }).toEqual({
    totalBytes: Buffer.byteLength(text),
    omittedBytes: Buffer.byteLength(omitted),
    omittedLines: omitted.split('\n').length - 1,
    told: [reply.omittedBytes.toLocaleString('en-US'), reply.omittedLines.toLocaleString('en-US')],
  });
  return { head, tail };
}

function numbered(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('');
}

describe('ordinary text', () => {
  describe.each(Object.keys(sampleTexts))('such as %s', (name) => {
    test.each([1_000, 10_000])('uses a limit of %i tokens to 98 percent at least, and never more', (maxTokens) => {
      const text = sampleTexts[name]!;
      for (const start of [0, 1_003, 50_021]) {
        const part = Buffer.from(text.slice(start)).toString('utf8');
        const reply = capped(part, maxTokens);

        endsOf(part, reply);
        expect(reply.tokens).toBe(oracleTokens(reply.text));
        expect(reply.tokens).toBeLessThanOrEqual(maxTokens);
        expect(reply.tokens).toBeGreaterThanOrEqual(maxTokens * 0.98);
      }
    });
  });

  test('is cut between lines where they are short', () => {
    const text = sampleTexts['a log']!;
    const { head, tail } = endsOf(text, capped(text, 10_000));

    expect([head.endsWith('\n'), text.at(-tail.length - 1)]).toEqual([true, '\n']);
  });

  test('is shared evenly between its beginning and its end', () => {
    const { head, tail } = endsOf(numbered(50_000), capped(numbered(50_000), 10_000));

    expect(Math.abs(oracleTokens(head) - oracleTokens(tail))).toBeLessThan(300);
  });

  test('is whole up to the last token of the limit, and cut from there on', () => {
    const text = sampleTexts['many scripts']!.slice(0, 4_000);
    const tokens = oracleTokens(text);

    expect(capped(text, tokens)).toEqual({
      text,
      tokens,
      totalBytes: Buffer.byteLength(text),
      omittedBytes: 0,
      omittedLines: 0,
    });
    expect(capped(text, tokens - 1).omittedBytes).toBeGreaterThan(0);
  });

  test('that has no more bytes than it may have tokens is not counted', () => {
    expect(capped('one\ntwo', 7)).toEqual({ text: 'one\ntwo', totalBytes: 7, omittedBytes: 0, omittedLines: 0 });
  });
});

describe('the first and the last line', () => {
  test.each([1, 10, 100, 1_000])('survive a limit of %i tokens', (maxTokens) => {
    const reply = capped(numbered(5_000), maxTokens);
    const kept = reply.text.split('\n');

    endsOf(numbered(5_000), reply);
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['1', '5000', '']);
    expect(oracleTokens(reply.text)).toBeLessThanOrEqual(Math.max(maxTokens, 30));
  });

  const texts: [string, string, string, string][] = [
    ['of numbers', numbered(5_000), '1\n', '5000\n'],
    ['of long lines', `<${'first '.repeat(90)}\n${numbered(900)}${' last'.repeat(90)}>`, '<first first', 'last last>'],
    ['of one line', `<${'漢字'.repeat(900)}>`, '<漢字漢字', '字漢字>'],
    ['of two lines, with an unfinished one', `start\n${numbered(500)}FATAL: no space`, 'start\n', '\nFATAL: no space'],
    ['with empty lines around', `\n\n$ make\n${numbered(500)}FATAL\n\n\n`, '\n\n$ make\n', 'FATAL\n\n\n'],
  ];
  test.each(texts)('survive every small limit in text %s', (_, text, first, last) => {
    for (let maxTokens = 1; maxTokens <= 50; maxTokens++) {
      const reply = capped(text, maxTokens);

      endsOf(text, reply);
      expect([reply.text.slice(0, first.length), reply.text.slice(-last.length)]).toEqual([first, last]);
      expect(oracleTokens(reply.text)).toBeLessThanOrEqual(Math.max(maxTokens, SHORTEST_FORM_TOKENS));
    }
  });

  test('are all that is kept where even they are too much', () => {
    const text = `${'a'.repeat(200)}\n${numbered(500)}${'b'.repeat(200)}\n`;
    const { head, tail } = endsOf(text, capped(text, 1));

    expect([head, tail]).toEqual(['a'.repeat(EDGE_BYTES), `${'b'.repeat(EDGE_BYTES - 1)}\n`]);
  });

  test('are not replaced by something longer', () => {
    const text = 'a short line\nand another one, which is a little longer\nend\n';

    expect(capped(text, 1)).toMatchObject({ text, omittedBytes: 0 });
  });
});

describe('no text breaks the limit', () => {
  test('of random characters, nor is it cut inside one', () => {
    const random = createRandom(6);
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 30 }, () => randomText(random, 60)).join('');
      const maxTokens = 1 + random(400);
      const reply = capped(text, maxTokens);

      if (reply.omittedBytes > 0) endsOf(text, reply);
      else expect(reply.text).toBe(text);
      expect(reply.text).not.toContain('\ufffd');
      expect(oracleTokens(reply.text)).toBeLessThanOrEqual(Math.max(maxTokens, SHORTEST_FORM_TOKENS));
    }
  });

  test.each(['a', 'A', ' ', '\n', '=', '漢', '😀', '\u0301', `${'a'.repeat(4_000)}\n`, `${' '.repeat(1_000)}\n`])(
    'of a megabyte of %j',
    (unit) => {
      const text = unit.repeat(1_000_000 / Buffer.byteLength(unit));
      const reply = capped(text, 10_000);

      endsOf(text, reply);
      expect(reply.tokens).toBeLessThanOrEqual(10_000);
      expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(10_000 * MAX_BYTES_PER_TOKEN + EDGE_BYTES);
    },
  );

  test('of bytes that are no characters', () => {
    const log = new ByteLog(ROOMY);
    for (let count = 0; count < 2_000; count++) log.append(Buffer.from([0xff, 0xc3, 0x41, 0xe2, 0x82, 0x0a]));
    const reply = capText({ log, start: 0, unfinished: Buffer.from([0xf0, 0x9f]), maxTokens: 500 });

    expect(reply.totalBytes).toBe(12_002);
    expect(oracleTokens(reply.text)).toBe(reply.tokens);
    expect(reply.tokens).toBeLessThanOrEqual(500);
  });
});

describe('a log that has lost its middle', () => {
  const text = numbered(200_000);
  const budget = { headBytes: 1_000, tailBytes: 1_000 };

  test.each([1, 100, 1_000, 10_000])('gives its beginning and its end for %i tokens', (maxTokens) => {
    const { head, tail } = endsOf(text, capped(text, maxTokens, budget));

    expect([head.slice(0, 2), tail.slice(-7)]).toEqual(['1\n', '200000\n']);
  });

  test('gives all that is left of it where there is room', () => {
    const { head, tail } = endsOf(text, capped(text, 1_000_000, budget));

    expect([head.length, tail.length].every((length) => length > 1_000 && length < 200_000)).toBe(true);
  });
});
