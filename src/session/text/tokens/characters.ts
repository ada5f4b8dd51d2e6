/** Characters as the split pattern of o200k_base tells them apart, read from UTF-8 bytes. */
import { isContinuation } from '../utf8';

/** One bit for each kind, so that a set of kinds is their sum. */
export const Kind = {
  /** Capital and title-case letters: Lu, Lt. */
  upper: 1,
  /** Small letters: Ll. */
  lower: 2,
  /** Letters of neither case, such as Han: Lm, Lo. */
  caseless: 4,
  /** Combining marks: M. */
  mark: 8,
  /** Digits and other numbers: N. */
  number: 16,
  /** White space other than line ends. */
  space: 32,
  /** Carriage return and line feed. */
  lineEnd: 64,
  /** Punctuation, symbols, controls and what has no meaning. Bytes that are no UTF-8 count as one each. */
  other: 128,
} as const;

/** A character in one number: its kind, and in the low bits its length in bytes. 0 where there is none. */
const LENGTH_BITS = 3;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;

const ASCII_COUNT = 128;
/** 0 until the character is first met: to tell all apart takes a while, which a program would take at its start. */
const ascii = new Uint16Array(ASCII_COUNT);

/** Kinds of other code points in pages of 256, found out when first met: a text has characters of a few scripts. */
const PAGE_BITS = 8;
const PAGE_SIZE = 2 ** PAGE_BITS;
const pages: (Uint8Array | undefined)[] = [];

/** The character that begins at `index`; ask {@link kindOf} and {@link lengthOf} about it. 0 at `end`. */
export function characterAt(bytes: Uint8Array, index: number, end: number): number {
  if (index >= end) return 0;
  const first = bytes[index] ?? 0;
  if (first >= ASCII_COUNT) return wideCharacterAt(bytes, index, end);
  const known = ascii[first] ?? 0;
  return known === 0 ? (ascii[first] = pack(classify(first), 1)) : known;
}

export function kindOf(character: number): number {
  return character >> LENGTH_BITS;
}

export function lengthOf(character: number): number {
  return character & LENGTH_MASK;
}

function pack(kind: number, lengthBytes: number): number {
  return (kind << LENGTH_BITS) | lengthBytes;
}

function wideCharacterAt(bytes: Uint8Array, index: number, end: number): number {
  const first = bytes[index] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (length === 1 || index + length > end) return pack(Kind.other, 1);
  let codePoint = first & (0x7f >> length);
  for (let offset = 1; offset < length; offset++) {
    const byte = bytes[index + offset] ?? 0;
    if (!isContinuation(byte)) return pack(Kind.other, 1);
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  return pack(kindOfCodePoint(codePoint), length);
}

function kindOfCodePoint(codePoint: number): number {
  const page = (pages[codePoint >> PAGE_BITS] ??= new Uint8Array(PAGE_SIZE));
  const offset = codePoint & (PAGE_SIZE - 1);
  let kind = page[offset] ?? 0;
  if (kind === 0) page[offset] = kind = classify(codePoint);
  return kind;
}

function classify(codePoint: number): number {
  const character = codePoint <= 0x10_ffff ? String.fromCodePoint(codePoint) : '';
  if (/^[\p{Lu}\p{Lt}]/u.test(character)) return Kind.upper;
  if (/^\p{Ll}/u.test(character)) return Kind.lower;
  if (/^[\p{Lm}\p{Lo}]/u.test(character)) return Kind.caseless;
  if (/^\p{M}/u.test(character)) return Kind.mark;
  if (/^\p{N}/u.test(character)) return Kind.number;
  if (/^[\r\n]/u.test(character)) return Kind.lineEnd;
  // Not `\s`, which in JavaScript has the byte order mark too and lacks U+0085.
  return /^\p{White_Space}/u.test(character) ? Kind.space : Kind.other;
}
