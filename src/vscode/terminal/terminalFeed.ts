import { StringDecoder } from 'node:string_decoder';
import type { Disposable } from '../../base/disposable';
import { borderAfter } from '../../session/text/utf8';
import { ClipboardGuard } from './clipboardGuard';
import { SequenceTracker } from './sequenceTracker';
import { type ModeState, TerminalModes } from './terminalModes';

/**
 * Asks for a private mode that no terminal has. VS Code's terminal answers once it has *parsed* all that came before, which is
 * the only sign of its progress that an extension can get: it takes whatever is written, without any flow control.
 */
export const PROGRESS_QUERY = '\u001b[?7727$p';
/** Bytes in one write: large enough that the questions cost nothing, small enough that the window answers keys in between. */
const CHUNK_BYTES = 64 * 1_024;
/** Chunks on their way at the most: keeps the terminal busy across the way to the window and back. */
const MAX_OUTSTANDING = 8;
/** With so many on their way, what is smaller than a chunk waits to become larger: many small ones would only ask more. */
const MAX_OUTSTANDING_SMALL = 2;
/** Waiting output per tab. Together with the chunks on their way this is half a second of a terminal's work. */
const MAX_PENDING_BYTES = 2 * 1_024 * 1_024;
/** What is shown of the output that a tab cannot keep up with: less than a scrollback holds, so that the notice is in there. */
const KEPT_BYTES = 32 * 1_024;
/** Inside one long escape sequence, such as a picture, nothing can be asked; beyond this the sequence is given up. */
const MAX_UNASKED_CHARS = 4 * 1_024 * 1_024;
/** No answer for so long means that none will come: a terminal that does not know the question must still show output. */
const ANSWER_TIMEOUT_MS = 10_000;

const CANCEL_SEQUENCE = '\u0018';
const NEWLINE = 10;

export interface TerminalFeedOptions {
  /** Hands text to the terminal. */
  readonly write: (text: string) => void;
  /** The text that stands where so many bytes were left out. */
  readonly skipNotice: (skippedBytes: number) => string;
}

/**
 * Brings bytes to a terminal no faster than it takes them, and in bounded memory: what comes in faster for too long is left
 * out, from the oldest on, and a notice says so. The program that wrote it is never slowed down. Modes that were switched in
 * what is left out, such as the screen or the cursor, are switched all the same.
 */
export class TerminalFeed implements Disposable {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  /** Skipped since the last notice. */
  private skippedBytes = 0;
  private totalSkipped = 0;
  /** What all that was taken or skipped has switched. */
  private readonly modes = new TerminalModes();
  /** The modes of the terminal itself where they may be others than those of the program: before what is being skipped. */
  private shownModes: ModeState | undefined;
  /** Counts all bytes that were ever pushed up to the first one that waits. */
  private takenPosition = 0;
  /** For each question on its way: the position that its answer confirms. */
  private outstanding: number[] = [];
  private shownPosition = 0;
  private barrier = 0;
  private unaskedChars = 0;
  private decoder = new StringDecoder('utf8');
  private readonly tracker = new SequenceTracker();
  private readonly guard = new ClipboardGuard();
  private answerTimer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(private readonly options: TerminalFeedOptions) {}

  /** The chunk is copied. */
  push(chunk: Buffer): void {
    if (chunk.length === 0 || this.isDisposed) return;
    this.pending.push(Buffer.from(chunk));
    this.pendingBytes += chunk.length;
    if (this.pendingBytes > MAX_PENDING_BYTES) this.skipForward();
    this.pump();
  }

  /** Asks for a sign of life, where nothing was pushed yet that asks for one. */
  probe(): void {
    if (this.outstanding.length === 0 && this.tracker.isBetweenSequences && !this.isDisposed) this.ask('');
  }

  /** Marks what was pushed so far: nothing that is pushed later shares a chunk with it. */
  markEarlier(): void {
    this.barrier = this.takenPosition + this.pendingBytes;
  }

  /** Whether the terminal has all that came before the mark. */
  get hasShownEarlier(): boolean {
    return this.shownPosition >= this.barrier;
  }

  /** Whether an answer is expected. */
  get isAwaitingAnswer(): boolean {
    return this.outstanding.length > 0;
  }

  /** How many bytes the terminal never got. */
  get totalSkippedBytes(): number {
    return this.totalSkipped;
  }

  /** The terminal has answered a {@link PROGRESS_QUERY}; answers come in the order of the questions. */
  acknowledge(): void {
    const position = this.outstanding.shift();
    if (position === undefined) return;
    this.shownPosition = position;
    this.restartAnswerTimer();
    this.pump();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.answerTimer);
    this.pending = [];
    this.pendingBytes = 0;
  }

  private pump(): void {
    while (this.pendingBytes > 0 && this.outstanding.length < MAX_OUTSTANDING) {
      if (this.pendingBytes < CHUNK_BYTES && this.outstanding.length >= MAX_OUTSTANDING_SMALL) return;
      this.send(this.guard.filter(this.takeNotice() + this.decoder.write(this.take())));
    }
  }

  private send(text: string): void {
    this.tracker.push(text);
    this.unaskedChars += text.length;
    if (this.tracker.isBetweenSequences) {
      this.ask(text);
    } else if (this.unaskedChars > MAX_UNASKED_CHARS) {
      this.tracker.push(CANCEL_SEQUENCE);
      this.ask(text + CANCEL_SEQUENCE);
    } else {
      this.options.write(text);
    }
  }

  private ask(text: string): void {
    this.unaskedChars = 0;
    this.outstanding.push(this.takenPosition);
    if (this.outstanding.length === 1) this.restartAnswerTimer();
    this.options.write(text + PROGRESS_QUERY);
  }

  private take(): Buffer {
    const limit = this.takenPosition < this.barrier ? Math.min(CHUNK_BYTES, this.barrier - this.takenPosition) : CHUNK_BYTES;
    const pieces: Buffer[] = [];
    let wanted = limit;
    while (wanted > 0) {
      const first = this.pending.shift();
      if (first === undefined) break;
      const piece = first.subarray(0, wanted);
      if (piece.length < first.length) this.pending.unshift(first.subarray(piece.length));
      pieces.push(piece);
      wanted -= piece.length;
    }
    const [only] = pieces;
    const taken = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
    this.pendingBytes -= taken.length;
    this.takenPosition += taken.length;
    this.modes.push(taken);
    return taken;
  }

  private takeNotice(): string {
    if (this.skippedBytes === 0) return '';
    const switches = this.shownModes === undefined ? '' : this.modes.changesSince(this.shownModes);
    const notice = this.options.skipNotice(this.skippedBytes);
    this.skippedBytes = 0;
    this.shownModes = undefined;
    return CANCEL_SEQUENCE + switches + notice;
  }

  /** Keeps the newest of what waits, from the beginning of a line on where there is one, and never from within a sequence. */
  private skipForward(): void {
    const waiting = Buffer.concat(this.pending);
    const tail = waiting.subarray(waiting.length - KEPT_BYTES);
    const lineStart = tail.indexOf(NEWLINE) + 1;
    const wanted = waiting.length - tail.length + (lineStart > 0 ? lineStart : borderAfter(tail, 0));
    this.shownModes ??= this.modes.state;
    this.modes.push(waiting.subarray(0, wanted));
    let skipped = wanted;
    for (; skipped < waiting.length && !this.modes.isBetweenSequences; skipped++) {
      this.modes.push(waiting.subarray(skipped, skipped + 1));
    }
    const kept = waiting.subarray(skipped);
    this.skippedBytes += skipped;
    this.totalSkipped += skipped;
    this.takenPosition += skipped;
    // A copy: a view would keep all that was skipped in memory.
    this.pending = [Buffer.from(kept)];
    this.pendingBytes = kept.length;
    this.decoder = new StringDecoder('utf8');
  }

  private restartAnswerTimer(): void {
    clearTimeout(this.answerTimer);
    if (this.outstanding.length === 0 || this.isDisposed) return;
    this.answerTimer = setTimeout(() => {
      const last = this.outstanding.at(-1);
      this.outstanding = [];
      if (last !== undefined) this.shownPosition = last;
      this.pump();
    }, ANSWER_TIMEOUT_MS);
    this.answerTimer.unref();
  }
}
