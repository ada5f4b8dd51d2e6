/** Questions about all that a session printed, answered from what is kept of it: nothing is ever run again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogPiece } from './byteLog';
import type { LinePattern } from '../text/linePattern';
import type { ReadableText } from '../text/textReader';

const NEWLINE = 10;
/** After this much the event loop gets its turn: about 10 ms of searching. */
const BYTES_PER_TURN = 1_024 * 1_024;

/** A line of the transcript. A long one that lies partly in what was dropped has only what is left of it. */
export interface TranscriptLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without its line end. */
  readonly bytes: Buffer;
}

export interface LineRange {
  readonly lines: readonly TranscriptLine[];
  /** Lines of the whole transcript, an unfinished last one included. */
  readonly totalLines: number;
  /** Whether some of the lines that were asked for were dropped for want of room. */
  readonly isIncomplete: boolean;
}

export interface SearchResult {
  /** Lines that match, and those around them that were asked for, in order and each once. */
  readonly lines: readonly (TranscriptLine & { readonly isMatch: boolean })[];
  /** Matching lines, also those beyond the limit. */
  readonly matchCount: number;
  readonly totalLines: number;
  /** Whether a part of the transcript was dropped for want of room, so that it could not be searched. */
  readonly isIncomplete: boolean;
}

export interface SearchOptions {
  readonly pattern: LinePattern;
  /** Lines to show before and after each match. */
  readonly context: number;
  /** Matches to return at the most; further ones are counted. */
  readonly maxMatches: number;
}

/** Gets the lines in the order of the transcript, some at a time, with the event loop free in between. */
type Visit = (lines: readonly TranscriptLine[]) => void;

export async function readLines(text: ReadableText, first: number, last: number): Promise<LineRange> {
  const lines: TranscriptLine[] = [];
  const totals = await visitLines(text, { first, last }, (some) => lines.push(...some));
  const end = Math.min(last, totals.totalLines);
  const isIncomplete = lines.length < Math.max(0, end - first + 1);
  return { lines, totalLines: totals.totalLines, isIncomplete };
}

export async function readTail(text: ReadableText, count: number): Promise<LineRange> {
  const total = countLines(text);
  return readLines(text, Math.max(1, total - count + 1), total);
}

export async function searchLines(text: ReadableText, options: SearchOptions): Promise<SearchResult> {
  const { pattern, context, maxMatches } = options;
  const found: (TranscriptLine & { isMatch: boolean })[] = [];
  let before: TranscriptLine[] = [];
  let matchCount = 0;
  let showUntil = 0;
  const look = (line: TranscriptLine, isMatch: boolean): void => {
    if (isMatch) matchCount++;
    if (isMatch && matchCount <= maxMatches) {
      found.push(...before.map((earlier) => ({ ...earlier, isMatch: false })), { ...line, isMatch });
      before = [];
      showUntil = line.number + context;
    } else if (line.number <= showUntil) {
      found.push({ ...line, isMatch });
    } else if (context > 0) {
      before = [...before, line].slice(-context);
    }
  };
  const totals = await visitLines(text, { first: 1, last: Infinity }, (lines) => {
    const results = pattern.test(lines.map((line) => line.bytes.toString('utf8')));
    for (const [index, line] of lines.entries()) look(line, results[index] === true);
  });
  return { lines: found, matchCount, totalLines: totals.totalLines, isIncomplete: totals.hasGap };
}

export function countLines({ log, unfinishedLine }: ReadableText): number {
  const finished = log.pieces().reduce((sum, piece) => sum + piece.newlines, 0);
  const hasUnfinished = unfinishedLine.length > 0 || endsInsideLine(log.pieces());
  return finished + (hasUnfinished ? 1 : 0);
}

/** The log holds the beginning of a line that is too long to be kept as unfinished. */
function endsInsideLine(pieces: readonly LogPiece[]): boolean {
  const bytes = pieces.at(-1)?.read?.();
  return bytes !== undefined && bytes.length > 0 && bytes.at(-1) !== NEWLINE;
}

async function visitLines(
  text: ReadableText,
  range: { readonly first: number; readonly last: number },
  visit: Visit,
): Promise<{ totalLines: number; hasGap: boolean }> {
  const { log, unfinishedLine } = text;
  const totalLines = countLines(text);
  let number = 1;
  let begun: Buffer[] = [];
  let sinceTurn = 0;
  let hasGap = false;
  for (const piece of log.pieces()) {
    if (number > range.last) break;
    // Whole pieces before the range are counted, not read; a line may begin at their end.
    const isBefore = number + piece.newlines < range.first;
    if (piece.read === undefined || isBefore) {
      hasGap ||= piece.read === undefined;
      begun = [];
      number += piece.newlines;
      continue;
    }
    const { lines, rest } = splitLines(piece.read());
    if (lines[0] !== undefined) {
      lines[0] = Buffer.concat([...begun, lines[0]]);
      begun = [];
    }
    if (rest.length > 0) begun.push(rest);
    visit(numberedWithin(range, lines, number));
    number += lines.length;
    sinceTurn += piece.end - piece.start;
    if (sinceTurn >= BYTES_PER_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  if (unfinishedLine.length > 0) begun.push(unfinishedLine);
  if (begun.length > 0) visit(numberedWithin(range, [Buffer.concat(begun)], number));
  return { totalLines, hasGap };
}

function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, rest: bytes.subarray(start) };
}

function numberedWithin(
  { first, last }: { readonly first: number; readonly last: number },
  lines: readonly Buffer[],
  number: number,
): readonly TranscriptLine[] {
  const from = Math.max(0, first - number);
  const to = Math.max(from, last - number + 1);
  return lines.slice(from, to).map((bytes, index) => ({ number: number + from + index, bytes }));
}
