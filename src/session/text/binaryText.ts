/** Random bytes have more than a third of these where they are read as text; text in a foreign encoding has fewer. */
const MAX_BROKEN_PART = 0.1;
/** A few broken characters are shown as such, however short the text is. */
const MIN_BROKEN_CHARACTERS = 32;

/** What a reply says in place of output that is no text. */
export function binaryName(bytes: number): string {
  return `[binary output, ${bytes.toLocaleString('en-US')} bytes without control characters]\n`;
}

/** The decoded `bytes`, or what they are where they are no text. */
export function textOrBinaryName(text: string, bytes: number): string {
  return isBinary(text) ? binaryName(bytes) : text;
}

/** Whether a decoded text is not one: it would fill a reply with replacement characters that say nothing. */
export function isBinary(text: string): boolean {
  const broken = text.split('\ufffd').length - 1;
  return broken >= MIN_BROKEN_CHARACTERS && broken > text.length * MAX_BROKEN_PART;
}
