/**
 * Splits text into the pieces that o200k_base turns into tokens one by one, as this pattern does (`o200k_base` in
 * https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py), of which the first alternative that matches counts:
 *
 *   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *   \p{N}{1,3}
 *    ?[^\s\p{L}\p{N}]+[\r\n/]*
 *   \s*[\r\n]+
 *   \s+(?!\S)
 *   \s+
 *
 * Written out on bytes it needs no strings, reads every byte a fixed number of times, and stops anywhere.
 */
import { characterAt, Kind, kindOf, lengthOf } from './characters';

const UPPER_PART = Kind.upper + Kind.caseless + Kind.mark;
const LOWER_PART = Kind.lower + Kind.caseless + Kind.mark;
const BOTH_PARTS = Kind.caseless + Kind.mark;
const LETTER = Kind.upper + Kind.lower + Kind.caseless;
const SYMBOL = Kind.mark + Kind.other;
const WHITE_SPACE = Kind.space + Kind.lineEnd;

const MOST_NUMBERS = 3;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;

/** Where the piece that begins at `start` ends, if the text ends at `end`. */
export function pieceEnd(bytes: Uint8Array, start: number, end: number): number {
  const first = characterAt(bytes, start, end);
  const kind = kindOf(first);
  if ((kind & (LETTER + Kind.mark)) !== 0) return wordEnd(bytes, start, end);
  const second = start + lengthOf(first);
  if (kind === Kind.number) return numberEnd(bytes, second, end);
  if ((kind & (Kind.space + Kind.other)) !== 0) {
    const afterWord = wordEnd(bytes, second, end);
    if (afterWord > second) return afterWord;
  }
  if (kind === Kind.other) return symbolsEnd(bytes, second, end);
  if (bytes[start] === SPACE && (kindOf(characterAt(bytes, second, end)) & SYMBOL) !== 0)
    return symbolsEnd(bytes, second, end);
  return whiteSpaceEnd(bytes, start, end);
}

/**
 * The first two alternatives without what may stand before the letters; `start` where there are none. A mark is a letter here
 * and could also be what stands before one: the end is the same.
 */
function wordEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  /** Where the last character ends that may stand in the lower part too. */
  let lowerEnd = start;
  let character = characterAt(bytes, at, end);
  while ((kindOf(character) & UPPER_PART) !== 0) {
    at += lengthOf(character);
    if ((kindOf(character) & BOTH_PARTS) !== 0) lowerEnd = at;
    character = characterAt(bytes, at, end);
  }
  if (kindOf(character) === Kind.lower) {
    while ((kindOf(character) & LOWER_PART) !== 0) {
      at += lengthOf(character);
      character = characterAt(bytes, at, end);
    }
  } else if (lowerEnd > start) {
    // The lower part must not be empty: the upper one gives back all from its last such character on.
    at = lowerEnd;
  }
  return at === start ? start : contractionEnd(bytes, at, end);
}

function contractionEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== APOSTROPHE || start + 1 >= end) return start;
  const letters = String.fromCharCode(...bytes.subarray(start + 1, Math.min(end, start + 3))).toLowerCase();
  if (/^(?:re|ve|ll)/.test(letters)) return start + 3;
  return /^[stmd]/.test(letters) ? start + 2 : start;
}

/** `second`: after the first number. */
function numberEnd(bytes: Uint8Array, second: number, end: number): number {
  let at = second;
  for (let count = 1; count < MOST_NUMBERS; count++) {
    const character = characterAt(bytes, at, end);
    if (kindOf(character) !== Kind.number) break;
    at += lengthOf(character);
  }
  return at;
}

function symbolsEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let character = characterAt(bytes, at, end);
  while ((kindOf(character) & SYMBOL) !== 0) {
    at += lengthOf(character);
    character = characterAt(bytes, at, end);
  }
  while (at < end && (bytes[at] === NEWLINE || bytes[at] === CARRIAGE_RETURN || bytes[at] === SLASH)) at++;
  return at;
}

/** Up to the last line end if there is one; else all but the last, which goes with what follows it, if anything follows. */
function whiteSpaceEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let lastStart = start;
  let afterLineEnd = start;
  let character = characterAt(bytes, at, end);
  while ((kindOf(character) & WHITE_SPACE) !== 0) {
    lastStart = at;
    at += lengthOf(character);
    if (kindOf(character) === Kind.lineEnd) afterLineEnd = at;
    character = characterAt(bytes, at, end);
  }
  if (afterLineEnd > start) return afterLineEnd;
  return at === end || lastStart === start ? at : lastStart;
}
