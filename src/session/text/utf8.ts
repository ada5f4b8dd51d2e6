/** Borders of characters in UTF-8 bytes. A character has at most 4 bytes; all but its first are 10xxxxxx. */

const LONGEST_CHARACTER_BYTES = 4;

export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The last border at or before `index`. Bytes that are no UTF-8 are cut where asked. */
export function borderBefore(bytes: Buffer, index: number): number {
  for (let back = 0; back < LONGEST_CHARACTER_BYTES && index - back >= 0; back++) {
    if (!isContinuation(bytes[index - back])) return index - back;
  }
  return index;
}

/** The first border at or after `index`. */
export function borderAfter(bytes: Buffer, index: number): number {
  for (let ahead = 0; ahead < LONGEST_CHARACTER_BYTES && index + ahead <= bytes.length; ahead++) {
    if (!isContinuation(bytes[index + ahead])) return index + ahead;
  }
  return index;
}

/** Length without a character that is begun at the end but not yet whole. */
export function wholeCharactersLength(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_CHARACTER_BYTES && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const expected = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return expected > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
