/** Blocks double from the first size to the largest: an idle session stays small, a busy one allocates rarely. */
const FIRST_BLOCK_BYTES = 1_024;
const LARGEST_BLOCK_BYTES = 65_536;
/** What stays readable behind each reader's position, however much comes after it: more than a reply's head ever needs. */
const PINNED_BYTES = 256 * 1_024;

const NEWLINE = 10;

export interface ByteLogBudget {
  /** The beginning of the log that is never dropped, in bytes. */
  readonly headBytes: number;
  /** The end of the log that is kept, in bytes. */
  readonly tailBytes: number;
}

/** A position in a log whose neighbourhood is kept for a reader; the reader moves it on. */
export interface LogPin {
  position: number;
}

/** A run of bytes that are still there, without a gap. */
export interface Span {
  /** Offset of the first byte in all that was ever appended. */
  readonly start: number;
  readonly bytes: Buffer;
}

interface Block {
  readonly start: number;
  buffer: Buffer;
  length: number;
}

interface Gap {
  start: number;
  end: number;
  newlines: number;
}

/**
 * All that was appended, in bounded memory: the beginning, the end, and what stands right behind each reader's position.
 * The middle is dropped in whole blocks; how many bytes and lines that were stays known exactly.
 */
export class ByteLog {
  private readonly blocks: Block[] = [];
  private readonly gaps: Gap[] = [];
  private readonly pins = new Set<LogPin>();
  private retainedBytes = 0;
  private total = 0;

  constructor(private readonly budget: ByteLogBudget) {}

  get totalBytes(): number {
    return this.total;
  }

  append(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      const block = this.writableBlock(rest.length);
      const count = Math.min(rest.length, block.buffer.length - block.length);
      rest.copy(block.buffer, block.length, 0, count);
      block.length += count;
      this.total += count;
      this.retainedBytes += count;
      rest = rest.subarray(count);
    }
    if (this.retainedBytes > this.budget.headBytes + this.budget.tailBytes + LARGEST_BLOCK_BYTES) this.dropMiddle();
  }

  /** Keeps what follows `position` readable until the pin is moved or removed. */
  pin(position: number): LogPin {
    const pin = { position };
    this.pins.add(pin);
    return pin;
  }

  unpin(pin: LogPin): void {
    this.pins.delete(pin);
  }

  /** What is retained from `from` on, in order; neighbours that touch are one span. */
  spans(from: number): readonly Span[] {
    const runs: Span[][] = [];
    for (const block of this.blocks) {
      const end = block.start + block.length;
      if (end <= from) continue;
      const start = Math.max(from, block.start);
      const span = { start, bytes: block.buffer.subarray(start - block.start, block.length) };
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (run !== undefined && last !== undefined && last.start + last.bytes.length === start) run.push(span);
      else runs.push([span]);
    }
    return runs.map((run) => ({ start: run[0]?.start ?? 0, bytes: joinBytes(run.map((span) => span.bytes)) }));
  }

  /** Line ends from `start` up to, not including, `end`; both must be retained positions or edges of them. */
  countNewlines(start: number, end: number): number {
    let newlines = 0;
    for (const block of this.blocks) {
      const from = Math.max(start, block.start);
      const to = Math.min(end, block.start + block.length);
      if (from < to) newlines += countNewlines(block.buffer.subarray(from - block.start, to - block.start));
    }
    for (const gap of this.gaps) if (gap.start >= start && gap.end <= end) newlines += gap.newlines;
    return newlines;
  }

  private writableBlock(wantedBytes: number): Block {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.length < last.buffer.length) return last;
    if (last !== undefined && last.buffer.length < LARGEST_BLOCK_BYTES) {
      const grown = Buffer.allocUnsafeSlow(blockSize(last.length + wantedBytes));
      last.buffer.copy(grown, 0, 0, last.length);
      last.buffer = grown;
      return last;
    }
    const block = { start: this.total, buffer: Buffer.allocUnsafeSlow(blockSize(wantedBytes)), length: 0 };
    this.blocks.push(block);
    return block;
  }

  private dropMiddle(): void {
    const tailStart = this.total - this.budget.tailBytes;
    const isKept = ({ start, length }: Block): boolean =>
      start < this.budget.headBytes || start + length > tailStart || this.isPinned(start, start + length);
    for (let index = this.blocks.findIndex((block) => !isKept(block)); index >= 0;) {
      const [block] = this.blocks.splice(index, 1);
      if (block !== undefined) this.recordGap(block);
      index = this.blocks.findIndex((other) => !isKept(other));
    }
  }

  private isPinned(start: number, end: number): boolean {
    for (const { position } of this.pins) if (start < position + PINNED_BYTES && end > position) return true;
    return false;
  }

  private recordGap({ start, length, buffer }: Block): void {
    this.retainedBytes -= length;
    const gap = { start, end: start + length, newlines: countNewlines(buffer.subarray(0, length)) };
    const before = this.gaps.find((other) => other.end === gap.start);
    if (before === undefined) {
      this.gaps.push(gap);
      this.gaps.sort((a, b) => a.start - b.start);
    } else {
      before.end = gap.end;
      before.newlines += gap.newlines;
    }
  }
}

function blockSize(wantedBytes: number): number {
  let size = FIRST_BLOCK_BYTES;
  while (size < wantedBytes && size < LARGEST_BLOCK_BYTES) size *= 2;
  return size;
}

function joinBytes(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let index = bytes.indexOf(NEWLINE); index >= 0; index = bytes.indexOf(NEWLINE, index + 1)) count++;
  return count;
}
