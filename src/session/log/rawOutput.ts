import type { TerminalSize } from '../../process/execProcess';
import { ByteLog } from './byteLog';
import { OutputTimes } from './outputTimes';

/** Kept for a tab that is opened later: about ten thousand lines, more than a terminal keeps in its scrollback. */
export const REPLAY_BYTES = 1_024 * 1_024;
/** Changes of size that are remembered: dragging a border makes dozens, and nobody needs those of an hour ago. */
const MAX_RESIZES = 256;

export type RecordedEvent =
  | { readonly kind: 'output'; readonly atMs: number; readonly bytes: Buffer }
  | { readonly kind: 'resized'; readonly atMs: number; readonly size: TerminalSize };

/** What a terminal was sent, and when; never what was typed. */
export interface Recording {
  /** The time 0 of its events, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Of the terminal at the beginning. */
  readonly size: TerminalSize;
  /** Output before the beginning that is no longer kept. */
  readonly missingBytes: number;
  /** In the order of their times. A character may be split between two outputs. */
  readonly events: readonly RecordedEvent[];
}

/** Bytes in the order in which the program wrote them; on pipes those of both streams. */
export interface RawPart {
  readonly start: number;
  /** A copy; fewer than asked for where there are no more yet. */
  readonly bytes: Buffer;
  /** Of all that the program has written so far. */
  readonly totalBytes: number;
  /** The first byte that is still kept: nothing before it can be read. */
  readonly keptFrom: number;
}

interface Resize {
  /** All output before this byte is older. */
  readonly position: number;
  readonly atMs: number;
  readonly size: TerminalSize;
}

/** The newest output as the program wrote it, with its times and the sizes of the terminal. */
export class RawOutput {
  private readonly log = new ByteLog({ headBytes: 0, tailBytes: REPLAY_BYTES });
  private readonly times = new OutputTimes();
  private readonly startedAt = Date.now();
  private readonly startMs: number;
  private resizes: Resize[] = [];
  private nextForgetAt = 2 * REPLAY_BYTES;

  constructor(
    private firstSize: TerminalSize,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.startMs = nowMs();
  }

  append(chunk: Buffer): void {
    this.times.note(this.log.totalBytes, this.nowMs() - this.startMs);
    this.log.append(chunk);
    if (this.log.totalBytes < this.nextForgetAt) return;
    this.nextForgetAt += REPLAY_BYTES;
    this.times.forgetBefore(this.log.totalBytes - REPLAY_BYTES);
  }

  noteResize(size: TerminalSize): void {
    const { cols, rows } = this.resizes.at(-1)?.size ?? this.firstSize;
    if (cols === size.cols && rows === size.rows) return;
    const position = this.log.totalBytes;
    // Of several sizes without output in between only the last was ever drawn for.
    if (this.resizes.at(-1)?.position === position) this.resizes.pop();
    this.resizes.push({ position, atMs: this.nowMs() - this.startMs, size });
    if (this.resizes.length > MAX_RESIZES) this.firstSize = this.resizes.shift()?.size ?? this.firstSize;
  }

  get memoryBytes(): number {
    return this.log.memoryBytes;
  }

  /** For a terminal that is attached now, from the beginning of a line on. */
  replay(): Buffer {
    return this.kept().bytes;
  }

  /** Empty where `start` is no longer kept, or not written yet. */
  read(start: number, byteCount: number): RawPart {
    const { totalBytes, droppedBytes: keptFrom } = this.log;
    const bytes = start < keptFrom ? Buffer.alloc(0) : this.log.peek(start, byteCount);
    return { start, bytes, totalBytes, keptFrom };
  }

  /** A copy of what is kept, from the beginning of a line on. */
  recording(): Recording {
    const { start, bytes } = this.kept();
    const marks = this.times.marksFrom(start);
    const ends = [...marks.slice(1).map((mark) => mark.start), start + bytes.length];
    const firstMs = start === 0 ? 0 : (marks[0]?.atMs ?? 0);
    const outputs = marks.map((mark, index) => ({
      position: mark.start,
      event: {
        kind: 'output' as const,
        atMs: mark.atMs - firstMs,
        bytes: bytes.subarray(mark.start - start, (ends[index] ?? start) - start),
      },
    }));
    const sizes = this.resizes
      .filter(({ position }) => position > start)
      .map(({ position, atMs, size }) => ({ position, event: { kind: 'resized' as const, atMs: atMs - firstMs, size } }));
    // A size comes before the output at the same place, which is drawn for it.
    const events = [...sizes, ...outputs].sort((a, b) => a.position - b.position).map(({ event }) => event);
    const sizeBefore = this.resizes.findLast(({ position }) => position <= start)?.size;
    return { startedAt: this.startedAt + firstMs, size: sizeBefore ?? this.firstSize, missingBytes: start, events };
  }

  private kept(): { readonly start: number; readonly bytes: Buffer } {
    const last = this.log.spans(Math.max(0, this.log.totalBytes - REPLAY_BYTES)).at(-1);
    if (last === undefined) return { start: this.log.totalBytes, bytes: Buffer.alloc(0) };
    const lineStart = last.start === 0 ? 0 : last.bytes.indexOf('\n') + 1;
    // A copy: what the log shows is valid only until more is appended.
    return { start: last.start + lineStart, bytes: Buffer.from(last.bytes.subarray(lineStart)) };
  }
}
