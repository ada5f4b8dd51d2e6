import { describe, expect, test } from 'vitest';
import { SHORTEST_FORM_TOKENS } from '../../../src/session/text/capText';
import { SessionText } from '../../../src/session/text/sessionText';
import { oracleTokens } from './tokens/oracle';

const EVERYTHING = 1_000_000;

function pushed(...chunks: string[]): SessionText {
  const text = new SessionText();
  for (const chunk of chunks) text.push(Buffer.from(chunk));
  return text;
}

function seq(last: number): string {
  return Array.from({ length: last }, (_, index) => `${String(index + 1)}\r\n`).join('');
}

describe('a reader', () => {
  test('gets every line once, over any number of replies', () => {
    const text = new SessionText();
    const reader = text.createReader();
    const replies: string[] = [];
    for (const chunk of ['1\r\n2', '', '\r\n3\r\n', '4', '5', '\r', '\n6\r\n']) {
      text.push(Buffer.from(chunk));
      replies.push(reader.read(EVERYTHING).text);
    }

    expect(replies.join('')).toBe('1\n2\n3\n45\n6\n');
  });

  test('gets a prompt once, then what follows it on the same line', () => {
    const text = pushed('name? ');
    const reader = text.createReader();
    const first = reader.read(EVERYTHING).text;
    text.push(Buffer.from('Ada\r\nhello Ada\r\n'));

    expect([first, reader.read(EVERYTHING).text]).toEqual(['name? ', 'Ada\nhello Ada\n']);
  });

  test('gets a line again that was rewritten after it was shown', () => {
    const text = pushed(' 10%');
    const reader = text.createReader();
    const replies = [reader.read(EVERYTHING).text];
    text.push(Buffer.from('\r 50%'));
    replies.push(reader.read(EVERYTHING).text);
    text.push(Buffer.from('\r100%\r\ndone\r\n'));
    replies.push(reader.read(EVERYTHING).text);

    expect(replies).toEqual([' 10%', ' 50%', '100%\ndone\n']);
  });

  test('never gets half a character', () => {
    const text = new SessionText();
    const reader = text.createReader();
    const replies: string[] = [];
    for (const byte of Buffer.from('≤😀é')) {
      text.push(Buffer.from([byte]));
      replies.push(reader.read(EVERYTHING).text);
    }

    expect(replies).toEqual(['', '', '≤', '', '', '', '😀', '', 'é']);
  });

  test('has a place of its own', () => {
    const text = pushed('one\r\n');
    const early = text.createReader();
    early.read(EVERYTHING);
    text.push(Buffer.from('two\r\n'));
    const late = text.createReader();

    expect([early.hasUnread, early.read(EVERYTHING).text, early.hasUnread]).toEqual([true, 'two\n', false]);
    expect(late.read(EVERYTHING).text).toBe('one\ntwo\n');
  });

  test('that comes back after a flood gets its beginning and its end, and the exact count of the rest', () => {
    const text = pushed('before\r\n');
    const reader = text.createReader();
    reader.read(EVERYTHING);
    for (let count = 0; count < 20; count++) text.push(Buffer.from(seq(100_000)));

    const reply = reader.read(100);

    const total = seq(100_000).replaceAll('\r', '').length * 20;
    const marker = /\n\[… ([\d,]+) bytes, ([\d,]+) line ends omitted …\]\n/.exec(reply.text);
    const kept = reply.text.length - (marker?.[0].length ?? 0) + 1;
    expect(reply.text).toMatch(/^1\n2\n[^]*\n99999\n100000\n$/);
    expect(reply.totalBytes).toBe(total);
    expect(kept + reply.omittedBytes).toBe(total);
    expect(marker?.[1]).toBe(reply.omittedBytes.toLocaleString('en-US'));
    expect(reply.omittedLines).toBe(2_000_000 - reply.text.split('\n').length + 2);
  });
});

describe('a cap', () => {
  test.each([1, 10, 100, 1_000, 10_000])('of %i tokens is kept, with the first and the last line', (maxTokens) => {
    const reply = pushed(seq(200_000)).createReader().read(maxTokens);

    const withoutMarker = reply.text.replace(/\[… .* omitted …\]\n/, '');
    expect(oracleTokens(reply.text)).toBeLessThanOrEqual(Math.max(maxTokens, SHORTEST_FORM_TOKENS));
    expect(Buffer.byteLength(withoutMarker) + reply.omittedBytes).toBe(reply.totalBytes);
    expect(withoutMarker).toMatch(/^1\n[^]*200000\n$/);
  });

  test('keeps the error at the end', () => {
    const reply = pushed(seq(50_000), 'FATAL\r\n').createReader().read(1_000);

    expect(reply.text).toMatch(/49999\n50000\nFATAL\n$/);
  });

  test.each(['é', '≤', '漢', '😀'])('never cuts %s in two', (character) => {
    for (let maxTokens = 1; maxTokens < 40; maxTokens++) {
      const reply = pushed(character.repeat(100_000)).createReader().read(maxTokens);

      expect(reply.text).not.toContain('\ufffd');
      const kept = reply.text.split(character).length - 1;
      expect(kept * Buffer.byteLength(character) + reply.omittedBytes).toBe(reply.totalBytes);
    }
  });

  test('keeps both ends of one giant line', () => {
    const reply = pushed(`<${'x'.repeat(3_000_000)}>`)
      .createReader()
      .read(1_000);

    const kept = reply.text.replace(/\n\[… .* omitted …\]\n/, '');
    expect(kept).toMatch(/^<x+>$/);
    expect(kept.length + reply.omittedBytes).toBe(reply.totalBytes);
    expect(reply).toMatchObject({ totalBytes: 3_000_002, omittedLines: 0 });
  });

  test('leaves alone what fits exactly', () => {
    const reply = pushed('1234').createReader().read(2);

    expect(reply).toEqual({ text: '1234', tokens: 2, totalBytes: 4, omittedBytes: 0, omittedLines: 0 });
  });
});
