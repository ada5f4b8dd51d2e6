import { describe, expect, test } from 'vitest';
import { TextFilter } from '../../../src/session/text/textFilter';

function cleanBytes(chunks: readonly Buffer[]): string {
  const pieces: Buffer[] = [];
  const filter = new TextFilter({ sink: (text) => pieces.push(Buffer.from(text)) });
  for (const chunk of chunks) filter.push(chunk);
  filter.end();
  return Buffer.concat(pieces).toString('utf8');
}

const clean = (...chunks: string[]): string => cleanBytes(chunks.map((chunk) => Buffer.from(chunk)));

const cases: [string, string, string][] = [
  ['lines as a terminal ends them', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['an unfinished line', 'one\r\ntwo', 'one\ntwo'],
  ['lines ended by newline alone', 'one\ntwo\n', 'one\ntwo\n'],
  ['several returns before a newline', 'one\r\r\r\ntwo\r\n', 'one\ntwo\n'],
  ['colours', '\x1b[1;31mred\x1b[0m plain \x1b[38;2;1;2;3mtrue\x1b[m\r\n', 'red plain true\n'],
  ['cursor visibility and modes', '\x1b[?25lspin\x1b[?25h\x1b[?2004h\x1b[>4;2m\x1b[!p', 'spin'],
  ['a title', '\x1b]0;rm -rf\x07text', 'text'],
  ['a clipboard write', '\x1b]52;c;ZXZpbA==\x1b\\text', 'text'],
  ['a hyperlink', '\x1b]8;;http://x\x07T\x1b]8;;\x07', 'T'],
  ['shell-integration marks', '\x1b]633;D;0\x07\x1b]133;D;0\x07end', 'end'],
  ['device-control and other strings', '\x1bPq#0\x1b\\a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d', 'abcd'],
  ['an escape that ends a string and begins another', '\x1b]0;t\x1b[31mred', 'red'],
  ['control characters of one character', '\u009b31mred\u009b0m \u009d0;title\u009ctext\u0085° £5 Ü', 'red text\n° £5 Ü'],
  ['character-set choices', '\x1b(B\x1b)0x\x1b#8y', 'xy'],
  ['single escapes', '\x1b7a\x1b8b\x1b=c\x1bMd', 'abcd'],
  ['a cancelled sequence', '\x1b[31\x18m', 'm'],
  ['bells, NULs, shifts and deletes', 'a\x07b\0c\x0ed\x0fe\x7ff', 'abcdef'],
  ['a progress bar', ' 10%\r 50%\r100%\r\n', '100%\n'],
  ['a progress bar that gets shorter', '100 left\r5 left\x1b[K\r\n', '5 left\n'],
  ['a shorter frame over a longer one', 'abcdef\rXY\r\n', 'XYcdef\n'],
  ['a frame that is erased first', 'working\r\x1b[2Kdone\r\n', 'done\n'],
  ['an erasure to the left', 'abcdef\x1b[3D\x1b[1K\r\n', '   def\n'],
  ['backspaces', 'abc\b\bX\r\n', 'aXc\n'],
  ['backspace, space, backspace', 'abc\b \b\r\n', 'ab \n'],
  ['backspaces over two-byte characters', 'äöü\b\bx\r\n', 'äxü\n'],
  ['a two-byte character over a one-byte one', 'abc\rä\r\n', 'äbc\n'],
  ['characters of four bytes', '😀😀\r😎\r\n', '😎😀\n'],
  ['columns', 'abcdef\x1b[3GX\r\n', 'abXdef\n'],
  ['columns beyond the end', 'ab\x1b[6GX\r\n', 'ab   X\n'],
  ['movements', 'abc\x1b[2DX\x1b[3CY\r\n', 'aXc  Y\n'],
  ['deleted characters', 'abcdef\r\x1b[2P\r\n', 'cdef\n'],
  ['inserted characters', 'abc\r\x1b[2@XY\r\n', 'XYabc\n'],
  ['blanked characters', 'abcdef\r\x1b[3X\r\n', '   def\n'],
  ['tabs', 'a\tb\r\n', 'a\tb\n'],
  ['another place of the screen', 'one\x1b[5;1Htwo\x1b[2;1Hthree\r\n', 'one\ntwo\nthree\n'],
  ['a line up', 'one\r\n\x1b[Atwo\r\n', 'one\ntwo\n'],
  ['nothing of a full-screen program', 'before\r\n\x1b[?1049h\x1b[2J\x1b[Hmenu\r\nitem\x1b[?1049lafter', 'before\nafter'],
  ['next line', 'one\x1bEtwo', 'one\ntwo'],
  ['controls inside a sequence', 'ab\x1b[\r1Cx', 'ax'],
  ['an endless parameter', `\x1b[${'1'.repeat(5_000)}mtext`, 'text'],
  ['a line of 300 characters', `${'x'.repeat(300)}\r\n`, `${'x'.repeat(300)}\n`],
  ['text in many scripts', 'grüße ≤ 漢字 🏳️‍🌈\r\n', 'grüße ≤ 漢字 🏳️‍🌈\n'],
];

describe('the text of terminal output', () => {
  test.each(cases)('has %s as a reader sees them', (_, input, expected) => {
    expect(clean(input)).toBe(expected);
  });

  test.each(cases)('does not depend on where chunks end: %s', (_, input, expected) => {
    const bytes = Buffer.from(input);
    const results = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut++) results.add(cleanBytes([bytes.subarray(0, cut), bytes.subarray(cut)]));
    results.add(cleanBytes([...bytes].map((byte) => Buffer.from([byte]))));

    expect([...results]).toEqual([expected]);
  });

  test('keeps bytes that are no characters', () => {
    const pieces: Buffer[] = [];
    const filter = new TextFilter({ sink: (text) => pieces.push(Buffer.from(text)) });

    filter.push(Buffer.from([0xff, 0xfe, 0x0a]));

    expect(Buffer.concat(pieces)).toEqual(Buffer.from([0xff, 0xfe, 0x0a]));
  });

  test('goes on after a broken character with whatever comes', () => {
    const pieces: Buffer[] = [];
    const filter = new TextFilter({ sink: (text) => pieces.push(Buffer.from(text)) });

    filter.push(Buffer.from([0xc2, 0x1b, 0x5b, 0x6d, 0x41, 0xc2, 0x0a, 0xc2, 0xc2, 0xb0, 0x0a]));

    expect(Buffer.concat(pieces).toString('latin1')).toBe('\xc2A\xc2\n\xc2\xc2\xb0\n');
  });

  test('hands on a giant line in pieces and loses nothing of it', () => {
    const pieces: Buffer[] = [];
    const filter = new TextFilter({ sink: (text) => pieces.push(Buffer.from(text)) });

    for (let count = 0; count < 100; count++) filter.push(Buffer.alloc(30_000, 'x'));
    filter.end();

    expect(Buffer.concat(pieces).length).toBe(3_000_000);
    expect(pieces.length).toBeGreaterThan(10);
  });

  test('shows the unfinished line as it stands', () => {
    const filter = new TextFilter({ sink: () => undefined });

    filter.push(Buffer.from('first\r\nname? '));

    expect(filter.unfinishedLine.toString()).toBe('name? ');
  });

  test('notices the questions that programs ask their terminal, and nothing else', () => {
    const queries: string[] = [];
    const filter = new TextFilter({ sink: () => undefined, onQuery: (sequence) => queries.push(sequence.slice(1)) });

    filter.push(Buffer.from('\x1b[c\x1b[>c\x1b[=0c\x1b[5n\x1b[6n\x1b[?6n\x1b[?2026$p\x1b[>q\x1b]11;?\x07\x1b]10;?\x1b\\'));
    filter.push(Buffer.from('\x1b[2J\x1b[31m\x1b]0;c\x07\x1b]52;c;?\x07\x1b[1;1R\x1b[?1;2c\x1b[?25h\x1b[!p\x1b[2 q'));

    expect(queries).toEqual(['[c', '[>c', '[=0c', '[5n', '[6n', '[?6n', '[?2026$p', '[>q', ']11;?\x1b\\', ']10;?\x1b\\']);
  });

  test('survives every random mixture of text and sequences with the same result for every chunking', () => {
    const parts = [
      'a',
      'ä',
      '漢',
      '\r',
      '\n',
      '\b',
      '\t',
      '\x1b[K',
      '\x1b[2K',
      '\x1b[3D',
      '\x1b[C',
      '\x1b[5G',
      '\x1b[P',
      '\x1b[2@',
      '\x1b[1;1H',
    ];
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 300; round++) {
      const input = Buffer.from(Array.from({ length: 40 }, () => parts[random(parts.length)]).join(''));
      const chunks: Buffer[] = [];
      for (let start = 0; start < input.length;) {
        const end = start + 1 + random(7);
        chunks.push(input.subarray(start, end));
        start = end;
      }

      expect(cleanBytes(chunks), JSON.stringify(input.toString())).toBe(cleanBytes([input]));
    }
  });
});
