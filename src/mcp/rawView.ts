import type { RawPart } from '../session/log/rawOutput';
import { countTokens } from '../session/text/tokens/countTokens';
import { fittingHead } from '../session/text/tokens/fit';

/** Base64 writes so many bytes as four characters; whoever joins parts of such a length gets the base64 of the whole. */
const GROUP_BYTES = 3;
const GROUP_CHARACTERS = 4;

export interface RawView {
  readonly base64: string;
  readonly status: string;
  /** What was asked for, is there, and had no room in the reply. */
  readonly omittedBytes: number;
  readonly facts: { readonly startByte: number; readonly byteCount: number; readonly totalBytes: number };
}

/** As much of the part as has at most `maxTokens` tokens in base64, but one group of bytes at least. */
export function rawView({ start, bytes, totalBytes }: RawPart, maxTokens: number): RawView {
  const whole = bytes.toString('base64');
  const base64 = whole.slice(0, fittingCharacters(whole, maxTokens));
  const byteCount = Math.min(bytes.length, (base64.length / GROUP_CHARACTERS) * GROUP_BYTES);
  const end = start + byteCount;
  const which = byteCount === 0 ? 'None of these bytes exist' : `Bytes ${start} to ${end - 1}, in base64`;
  const more = end < totalBytes && byteCount > 0 ? ` Go on with start_byte ${end}.` : '';
  return {
    base64,
    status: `${which}, of ${totalBytes.toLocaleString('en-US')} so far.${more}`,
    omittedBytes: bytes.length - byteCount,
    facts: { startByte: start, byteCount, totalBytes },
  };
}

function fittingCharacters(base64: string, maxTokens: number): number {
  const text = Buffer.from(base64);
  let characters = fittingHead(text, maxTokens).bytes;
  // Rounded down to whole groups; what is counted in parts may come to a few tokens more as a whole.
  for (;;) {
    characters = Math.max(GROUP_CHARACTERS, characters - (characters % GROUP_CHARACTERS));
    const excess = countTokens(text.subarray(0, characters)) - maxTokens;
    if (excess <= 0 || characters === GROUP_CHARACTERS) return characters;
    characters -= Math.max(excess, GROUP_CHARACTERS);
  }
}
