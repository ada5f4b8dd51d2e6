/**
 * How much of a text fits into a number of tokens, from its beginning or from its end. Long pieces are taken in parts, and texts
 * from behind in blocks, each counted alone: the sum is close to the count of the whole, but not always the same. Whoever
 * promises a limit counts what came of it.
 */
import { borderAfter, borderBefore } from '../utf8';
import { tokensOfPiece } from './countTokens';
import { pieceEnd } from './pieces';
import { LONGEST_TOKEN_BYTES } from './tokenTable';

export interface Fit {
  readonly bytes: number;
  readonly tokens: number;
}

/** What of its tokens a head may leave unused to end with a line. They are not lost: the tail gets them. */
const UNUSED_PART_OF_HEAD = 1 / 8;
/** The same for a tail, to begin with a line. These are lost, and 98 % of a limit of 1,000 have to be used. */
const UNUSED_PART_OF_TAIL = 1 / 64;
const UNUSED_TOKENS = 12;

/** Terminal output has two to four bytes a token: a block from behind is as long as what is left might be, but no less than this. */
const EXPECTED_BYTES_PER_TOKEN = 3;
const SMALLEST_BLOCK_BYTES = 256;

const NEWLINE = 10;
const SLASH = 47;

/** The longest beginning that fits, or one that ends with a line and is hardly shorter. */
export function fittingHead(bytes: Buffer, maxTokens: number): Fit {
  let fit: Fit = { bytes: 0, tokens: 0 };
  let lines = fit;
  for (let start = 0; start < bytes.length;) {
    const end = partEnd(bytes, start);
    const tokens = fit.tokens + tokensOfPiece(bytes, start, end);
    if (tokens > maxTokens) return fit.tokens - lines.tokens <= unusedTokens(maxTokens * UNUSED_PART_OF_HEAD) ? lines : fit;
    fit = { bytes: end, tokens };
    const lineEnd = lineEndIn(bytes, start, end);
    if (lineEnd !== undefined) lines = { bytes: lineEnd, tokens };
    start = end;
  }
  return fit;
}

/** The longest end that fits, or one that begins with a line and is hardly shorter. */
export function fittingTail(bytes: Buffer, maxTokens: number): Fit {
  let start = bytes.length;
  let tokens = 0;
  while (start > 0 && tokens < maxTokens) {
    const blockStart = blockStartBefore(bytes, start, maxTokens - tokens);
    const block = bytes.subarray(blockStart, start);
    const blockTokens = countParts(block);
    const excess = tokens + blockTokens - maxTokens;
    if (excess > 0) {
      const left = skip(block, excess, unusedTokens(maxTokens * UNUSED_PART_OF_TAIL));
      return { bytes: bytes.length - blockStart - left.bytes, tokens: tokens + blockTokens - left.tokens };
    }
    start = blockStart;
    tokens += blockTokens;
  }
  return { bytes: bytes.length - start, tokens };
}

/** How much to leave out of the beginning of `bytes` to be rid of `tokens`, or up to the end of a line hardly later. */
function skip(bytes: Buffer, tokens: number, unused: number): Fit {
  let left: Fit = { bytes: 0, tokens: 0 };
  let enough: Fit | undefined;
  while (left.bytes < bytes.length) {
    const end = partEnd(bytes, left.bytes);
    const next = { bytes: end, tokens: left.tokens + tokensOfPiece(bytes, left.bytes, end) };
    if (enough !== undefined && next.tokens - enough.tokens > unused) return enough;
    const lineEnd = next.tokens >= tokens ? lineEndIn(bytes, left.bytes, end) : undefined;
    if (lineEnd !== undefined) return { bytes: lineEnd, tokens: next.tokens };
    if (next.tokens >= tokens) enough ??= next;
    left = next;
  }
  return enough ?? left;
}

function countParts(bytes: Buffer): number {
  let tokens = 0;
  for (let start = 0; start < bytes.length;) {
    const end = partEnd(bytes, start);
    tokens += tokensOfPiece(bytes, start, end);
    start = end;
  }
  return tokens;
}

/** The end of the piece that begins at `start`, or of its first part if it is longer than any token. */
function partEnd(bytes: Buffer, start: number): number {
  const limit = start + LONGEST_TOKEN_BYTES;
  return pieceEnd(bytes, start, limit < bytes.length ? borderBefore(bytes, limit) : bytes.length);
}

/** After the last line end of a piece: nothing but slashes can follow it in one. */
function lineEndIn(bytes: Buffer, start: number, end: number): number | undefined {
  let at = end;
  while (at > start && bytes[at - 1] === SLASH) at--;
  return at > start && bytes[at - 1] === NEWLINE ? at : undefined;
}

/** At the start of a line where the block has one. */
function blockStartBefore(bytes: Buffer, end: number, tokens: number): number {
  const length = Math.max(SMALLEST_BLOCK_BYTES, tokens * EXPECTED_BYTES_PER_TOKEN);
  if (length >= end) return 0;
  const lineStart = bytes.indexOf(NEWLINE, end - length) + 1;
  return lineStart > 0 && lineStart < end ? lineStart : borderAfter(bytes, end - length);
}

/** A few tokens matter little, however few there are in all. */
function unusedTokens(part: number): number {
  return Math.max(UNUSED_TOKENS, part);
}
