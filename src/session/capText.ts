import type { ByteLog } from './byteLog';
import { borderAfter, borderBefore } from './utf8';

/** How tokens are counted: English prose has about 4 bytes a token. */
export const BYTES_PER_TOKEN = 4;

export interface CappedText {
  readonly text: string;
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
}

/** The new text if it fits; else its beginning and its end with a line between them that says how much is missing. */
export function capText({ log, start, unfinished, maxTokens }: CapRequest): CappedText {
  const maxBytes = maxTokens * BYTES_PER_TOKEN;
  const totalBytes = Math.max(0, log.totalBytes - start) + unfinished.length;
  const spans = log.spans(start);
  const isComplete = totalBytes === spans.reduce((sum, span) => sum + span.bytes.length, 0) + unfinished.length;
  if (isComplete && totalBytes <= maxBytes) {
    const text = Buffer.concat([...spans.map((span) => span.bytes), unfinished]).toString('utf8');
    return { text, totalBytes, omittedBytes: 0, omittedLines: 0 };
  }
  // The first run of text begins right at `start`: a reader's position is never dropped. The last one ends at the end.
  const first = spans[0];
  const beginning = first?.start === start ? first.bytes : Buffer.alloc(0);
  const ending = Buffer.concat([
    spans.length > 1 || first?.start !== start ? (spans.at(-1)?.bytes ?? beginning) : beginning,
    unfinished,
  ]);
  const head = beginning.subarray(0, headLength(beginning, Math.ceil(maxBytes / 2)));
  const tail = ending.subarray(tailStart(ending, Math.max(0, maxBytes - head.length)));
  const omittedBytes = totalBytes - head.length - tail.length;
  const omittedLines = log.countNewlines(start + head.length, start + totalBytes - tail.length);
  const text = `${withLineEnd(head.toString('utf8'))}${omission(omittedBytes, omittedLines)}\n${tail.toString('utf8')}`;
  return { text, totalBytes, omittedBytes, omittedLines };
}

function omission(bytes: number, lines: number): string {
  return `[… ${bytes.toLocaleString('en-US')} bytes, ${lines.toLocaleString('en-US')} line ends omitted …]`;
}

/** Cuts after a whole line where one fits in, else between two characters. */
function headLength(bytes: Buffer, maxBytes: number): number {
  if (bytes.length <= maxBytes) return bytes.length;
  const lineEnd = bytes.lastIndexOf('\n', maxBytes - 1);
  return lineEnd >= 0 ? lineEnd + 1 : borderBefore(bytes, maxBytes);
}

function tailStart(bytes: Buffer, maxBytes: number): number {
  if (bytes.length <= maxBytes) return 0;
  const start = bytes.length - maxBytes;
  const lineEnd = bytes.indexOf('\n', Math.max(0, start - 1));
  const hasWholeLine = lineEnd >= 0 && lineEnd + 1 < bytes.length;
  return hasWholeLine ? lineEnd + 1 : borderAfter(bytes, start);
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
