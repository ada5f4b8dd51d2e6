import type { Disposable } from '../../base/disposable';
import type { ByteLog } from '../log/byteLog';
import { binaryName, isBinary } from './binaryText';
import { capText, type CappedText } from './capText';
import { wholeCharactersLength } from './utf8';

export interface ReadableText {
  /** Finished lines. */
  readonly log: ByteLog;
  /** The line that is still being written; it may yet be rewritten. */
  readonly unfinishedLine: Buffer;
}

export interface ReadOptions {
  /** As in {@link capText}. */
  readonly keepsWords?: boolean;
  /** How many bytes at the end of the unfinished line are kept back: they are given once more of the line has come. */
  readonly heldBytes?: ((line: Buffer) => number) | undefined;
}

/** One client's place in the output of a session: each byte of it is given to the client once, and none is left out untold. */
export class TextReader implements Disposable {
  private readonly pin;
  /** What the client has been shown of the line at `pin` that was not finished then. */
  private shown: Buffer = Buffer.alloc(0);

  constructor(private readonly text: ReadableText) {
    this.pin = text.log.pin(0);
  }

  /** Offset in the log from which on the client has not seen it. */
  get position(): number {
    return this.pin.position;
  }

  get hasUnread(): boolean {
    return this.text.log.totalBytes > this.pin.position || this.unseenOf(this.wholeUnfinished()).length > 0;
  }

  /** What is new since the last call, capped. */
  read(maxTokens: number, { keepsWords, heldBytes = () => 0 }: ReadOptions = {}): CappedText {
    const { log } = this.text;
    const whole = this.wholeUnfinished();
    const unfinished = whole.subarray(0, whole.length - heldBytes(whole));
    const isSameLine = log.totalBytes === this.pin.position;
    const seenBytes = this.seenBytes(isSameLine ? unfinished : log.peek(this.pin.position, this.shown.length));
    const start = this.pin.position + seenBytes;
    const capped = capText({
      log,
      start,
      unfinished: isSameLine ? unfinished.subarray(seenBytes) : unfinished,
      maxTokens,
      keepsWords,
    });
    this.pin.position = log.totalBytes;
    this.shown = unfinished;
    return isBinary(capped.text) ? namedBinary(capped) : capped;
  }

  dispose(): void {
    this.text.log.unpin(this.pin);
  }

  private wholeUnfinished(): Buffer {
    const line = this.text.unfinishedLine;
    return line.subarray(0, wholeCharactersLength(line));
  }

  private unseenOf(line: Buffer): Buffer {
    return line.subarray(this.seenBytes(line));
  }

  /** A line that goes on where it was shown is continued; one that was rewritten meanwhile is shown whole. */
  private seenBytes(line: Buffer): number {
    const isContinued = line.subarray(0, this.shown.length).equals(this.shown);
    return isContinued ? this.shown.length : 0;
  }
}

function namedBinary({ totalBytes, omittedLines, text }: CappedText): CappedText {
  const lines = omittedLines + text.split('\n').length - 1;
  return { text: binaryName(totalBytes), totalBytes, omittedBytes: totalBytes, omittedLines: lines };
}
