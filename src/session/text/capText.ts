import { ByteLog } from '../log/byteLog';
import { countTokens, countTokensUpTo } from './tokens/countTokens';
import { fittingHead, fittingTail } from './tokens/fit';
import { borderAfter, borderBefore } from './utf8';

/** What is kept of the first and of the last line under every limit: enough for a name, a number or the kind of an error. */
export const EDGE_BYTES = 64;

/** The shortest form of a text has fewer bytes, and so fewer tokens: two edges, and at most 70 bytes for the line between them. */
export const SHORTEST_FORM_TOKENS = 200;

/**
 * Text has no more bytes than this for each token of its limit, though a token can have 128: ordinary text has two to five, and
 * a megabyte of spaces is of no use to anybody.
 */
export const MAX_BYTES_PER_TOKEN = 16;

/** A cut can part what was one token, at the end of the head and at the start of the tail: room for what that adds. */
const CUT_TOKENS = 3;

/** Keys and tokens are shorter; a line of base64 may be longer. */
const LONGEST_WORD_BYTES = 512;

const NEWLINE = 10;

export interface CappedText {
  readonly text: string;
  /** Tokens of `text`; absent where it has no more bytes than it may have tokens, so that nobody had to count. */
  readonly tokens?: number;
  /** Bytes of new clean text, kept and omitted together. */
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** Line ends among the omitted bytes. */
  readonly omittedLines: number;
}

export interface CapRequest {
  readonly log: ByteLog;
  /** Offset in the log from which on the text is new. */
  readonly start: number;
  /** The new part of the line that is not in the log yet. */
  readonly unfinished: Buffer;
  /** At least 1. */
  readonly maxTokens: number;
  /** Whether no cut may fall into a run of letters and digits: whoever masks secrets has to see them whole. */
  readonly keepsWords?: boolean | undefined;
}

/** As much of the new text as a reply can hold: all of it, in both, or its beginning and its end. */
interface Source {
  readonly beginning: Buffer;
  readonly ending: Buffer;
  readonly totalBytes: number;
}

/** How many bytes are kept of the beginning and of the end. */
interface Cut {
  readonly headBytes: number;
  readonly tailBytes: number;
}

/**
 * The new text if it fits; else its beginning and its end with a line between them that says how much is missing.
 *
 * `text`, that line included, has at most `maxTokens` tokens of o200k_base, counted exactly. One thing is above a small limit:
 * the first and the last line are always kept, or, of longer ones, the first {@link EDGE_BYTES} bytes of the one and the last
 * ones of the other. If that and the line between them come to more than `maxTokens`, what they come to is the limit, which is
 * less than {@link SHORTEST_FORM_TOKENS}. So nothing is cut to what is longer than itself.
 *
 * Cuts are made between lines where that wastes little, and never inside a character.
 */
export function capText(request: CapRequest): CappedText {
  const { maxTokens } = request;
  const source = readSource(request);
  const { beginning, totalBytes } = source;
  const whole = beginning.length === totalBytes ? beginning.toString('utf8') : undefined;
  if (whole !== undefined && Buffer.byteLength(whole) <= maxTokens) return uncut(whole, totalBytes);

  const edges = edgesOf(source);
  const shortest = abridge(request, source, edges);
  const shortestTokens = countTokensOf(shortest.text);
  const limit = Math.max(maxTokens, shortestTokens);
  const wholeTokens = whole === undefined ? undefined : countTokensUpTo(Buffer.from(whole), limit);
  if (whole !== undefined && wholeTokens !== undefined) return { ...uncut(whole, totalBytes), tokens: wholeTokens };

  let room = limit - countTokensOf(omission(shortest)) - CUT_TOKENS;
  while (room > 0) {
    const capped = abridge(request, source, cutToFit(source, edges, room));
    const tokens = countTokensOf(capped.text);
    if (tokens <= limit && capped.omittedBytes > 0) return { ...capped, tokens };
    room -= Math.max(1, tokens - limit);
  }
  return { ...shortest, tokens: shortestTokens };
}

/** The same for bytes that lie in no log. */
export function capBytes(bytes: Buffer, maxTokens: number): CappedText {
  const log = new ByteLog({ headBytes: bytes.length, tailBytes: bytes.length });
  log.append(bytes);
  return capText({ log, start: 0, unfinished: Buffer.alloc(0), maxTokens });
}

function readSource({ log, start, unfinished, maxTokens }: CapRequest): Source {
  const totalBytes = Math.max(0, log.totalBytes - start) + unfinished.length;
  const spans = log.spans(start);
  const retained = [...spans.map((span) => span.bytes), unfinished];
  const isComplete = totalBytes === retained.reduce((sum, bytes) => sum + bytes.length, 0);
  const maxBytes = Math.max(maxTokens, SHORTEST_FORM_TOKENS) * MAX_BYTES_PER_TOKEN;
  if (isComplete && totalBytes <= maxBytes) {
    const whole = Buffer.concat(retained);
    return { beginning: whole, ending: whole, totalBytes };
  }
  // A span that begins right at `start` is what the reader sees next; the last one ends where the unfinished line begins.
  const beginning = isComplete ? retained : retained.slice(0, spans[0]?.start === start ? 1 : 0);
  return {
    beginning: firstBytes(beginning, maxBytes / 2),
    ending: lastBytes(retained.slice(-2), maxBytes / 2),
    totalBytes,
  };
}

function edgesOf(source: Source): Cut {
  const { beginning } = source;
  const headBytes = borderAtMost(beginning, Math.min(firstLineLength(beginning), EDGE_BYTES));
  const rest = after(headBytes, source);
  return { headBytes, tailBytes: tailAtMost(rest, Math.min(lastLineLength(rest), EDGE_BYTES)) };
}

/** With the empty lines before it, if there are any. */
function firstLineLength(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === NEWLINE) start++;
  const lineEnd = bytes.indexOf(NEWLINE, start);
  return lineEnd < 0 ? bytes.length : lineEnd + 1;
}

/** With the empty lines after it, if there are any. */
function lastLineLength(bytes: Buffer): number {
  let end = bytes.length;
  while (bytes[end - 1] === NEWLINE) end--;
  return bytes.length - (bytes.subarray(0, end).lastIndexOf(NEWLINE) + 1);
}

function cutToFit(source: Source, edges: Cut, maxTokens: number): Cut {
  const forHead = source.beginning.subarray(0, source.totalBytes - edges.tailBytes);
  const head = fittingHead(forHead, Math.ceil(maxTokens / 2));
  const headBytes = Math.max(edges.headBytes, head.bytes);
  const tail = fittingTail(after(headBytes, source), maxTokens - head.tokens);
  return { headBytes, tailBytes: Math.max(edges.tailBytes, tail.bytes) };
}

/** The part of the ending that is not in a head of so many bytes. */
function after(headBytes: number, { ending, totalBytes }: Source): Buffer {
  return ending.subarray(Math.max(0, headBytes - (totalBytes - ending.length)));
}

/** The same cut, moved out of words that it would part; a word longer than any secret is parted all the same. */
function betweenWords({ beginning, ending }: Source, { headBytes, tailBytes }: Cut): Cut {
  let head = headBytes;
  while (head > 0 && headBytes - head < LONGEST_WORD_BYTES && isWord(beginning[head - 1]) && isWord(beginning[head])) head--;
  let start = ending.length - tailBytes;
  const first = start;
  while (start < ending.length && start - first < LONGEST_WORD_BYTES && isWord(ending[start - 1]) && isWord(ending[start])) {
    start++;
  }
  return { headBytes: head, tailBytes: ending.length - start };
}

/** Of what keys and tokens are made: letters, digits and `_ . + / = -`. */
function isWord(byte: number | undefined): boolean {
  return byte !== undefined && /[\w.+/=-]/.test(String.fromCharCode(byte));
}

function uncut(text: string, totalBytes: number): CappedText {
  return { text, totalBytes, omittedBytes: 0, omittedLines: 0 };
}

function abridge(request: CapRequest, source: Source, cut: Cut): CappedText {
  const { log, start } = request;
  const { beginning, ending, totalBytes } = source;
  const { headBytes, tailBytes } = request.keepsWords === true ? betweenWords(source, cut) : cut;
  const omitted = {
    omittedBytes: totalBytes - headBytes - tailBytes,
    omittedLines: log.countNewlines(start + headBytes, start + totalBytes - tailBytes),
  };
  const head = withLineEnd(beginning.toString('utf8', 0, headBytes));
  const tail = ending.toString('utf8', ending.length - tailBytes);
  return { text: `${head}${omission(omitted)}${tail}`, totalBytes, ...omitted };
}

function omission({ omittedBytes, omittedLines }: Pick<CappedText, 'omittedBytes' | 'omittedLines'>): string {
  return `[… ${omittedBytes.toLocaleString('en-US')} bytes, ${omittedLines.toLocaleString('en-US')} line ends omitted …]\n`;
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function countTokensOf(text: string): number {
  return countTokens(Buffer.from(text));
}

/** The beginning of what the parts are together, and in {@link lastBytes} the end, without a character cut in two. */
function firstBytes(parts: readonly Buffer[], maxBytes: number): Buffer {
  const bytes = Buffer.concat(parts.map((part) => part.subarray(0, maxBytes)));
  return bytes.subarray(0, borderAtMost(bytes, maxBytes));
}

function lastBytes(parts: readonly Buffer[], maxBytes: number): Buffer {
  const bytes = Buffer.concat(parts.map((part) => part.subarray(-maxBytes)));
  return bytes.subarray(bytes.length - tailAtMost(bytes, maxBytes));
}

function borderAtMost(bytes: Buffer, maxBytes: number): number {
  return maxBytes < bytes.length ? borderBefore(bytes, maxBytes) : bytes.length;
}

function tailAtMost(bytes: Buffer, maxBytes: number): number {
  return maxBytes < bytes.length ? bytes.length - borderAfter(bytes, bytes.length - maxBytes) : bytes.length;
}
