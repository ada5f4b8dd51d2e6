import { ByteLog } from '../log/byteLog';
import type { Spool } from '../log/spool';
import { TextFilter } from './textFilter';
import { type ReadableText, TextReader } from './textReader';
import { borderAfter } from './utf8';

/** Clean text kept in memory per session. The head answers "how did it begin", the tail holds about 20,000 lines of a build. */
export const TEXT_HEAD_BYTES = 256 * 1_024;
export const TEXT_TAIL_BYTES = 2 * 1_024 * 1_024;

/** What is shown of a line that somebody only glances at. */
const GLANCE_BYTES = 200;

export interface SessionTextOptions {
  /** Without one the middle of a long output is dropped; the caller disposes it. */
  readonly spool?: Spool | undefined;
  /** How wide the terminal is now. */
  readonly columns?: (() => number) | undefined;
  /** Called for each question to the terminal, with the sequence that asks it. */
  readonly onQuery?: ((sequence: string) => void) | undefined;
}

/** The output of a session as clean text: finished lines in a log, and the line that is still being written. */
export class SessionText implements ReadableText {
  readonly log: ByteLog;
  private readonly filter: TextFilter;

  constructor({ spool, columns, onQuery }: SessionTextOptions = {}) {
    this.log = new ByteLog({ headBytes: TEXT_HEAD_BYTES, tailBytes: TEXT_TAIL_BYTES }, spool);
    const sink = (text: Buffer): void => {
      this.log.append(text);
    };
    this.filter = new TextFilter({ sink, columns, onQuery });
  }

  /** What stands on the current line so far; part of no log yet, because the program may still rewrite it. */
  get unfinishedLine(): Buffer {
    return this.filter.unfinishedLine;
  }

  /** Whether a full-screen program has the terminal. */
  get isFullScreen(): boolean {
    return this.filter.isFullScreen;
  }

  push(chunk: Buffer): void {
    this.filter.push(chunk);
  }

  end(): void {
    this.filter.end();
  }

  /** The line that is being written, else the last one with text in it: at most its last {@link GLANCE_BYTES} bytes. */
  lastLine(): string {
    return this.recentText(GLANCE_BYTES).trimEnd().split('\n').at(-1) ?? '';
  }

  /** The end of the text, with the line that is being written: at most `maxBytes`. */
  recentText(maxBytes: number): string {
    const finished = this.log.spans(Math.max(0, this.log.totalBytes - maxBytes)).at(-1)?.bytes ?? Buffer.alloc(0);
    const recent = Buffer.concat([finished, this.unfinishedLine]);
    return recent.subarray(borderAfter(recent, Math.max(0, recent.length - maxBytes))).toString('utf8');
  }

  /** A reader that has seen nothing yet. Dispose it when its client has gone. */
  createReader(): TextReader {
    return new TextReader(this);
  }
}
