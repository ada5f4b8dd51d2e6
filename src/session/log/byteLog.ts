import type { Spool } from './spool';

/** The first block doubles from the first size to the largest: an idle session stays small, a busy one allocates rarely. */
const FIRST_BLOCK_BYTES = 1_024;
const LARGEST_BLOCK_BYTES = 65_536;
/** What stays in memory behind each reader's position, however much comes after it: more than a reply's head ever needs. */
const PINNED_BYTES = 256 * 1_024;

const NEWLINE = 10;

export interface ByteLogBudget {
  /** The beginning of the log that stays in memory, in bytes. */
  readonly headBytes: number;
  /** The end of the log that stays in memory, in bytes. */
  readonly tailBytes: number;
}

/** A position in a log whose neighbourhood is kept in memory for a reader; the reader moves it on. */
export interface LogPin {
  position: number;
}

/** A run of bytes without a gap. */
export interface Span {
  /** Offset of the first byte in all that was ever appended. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** A piece of the log, wherever it is now. */
export interface LogPiece {
  readonly start: number;
  readonly end: number;
  readonly newlines: number;
  /** Reads the bytes, which are the caller's; `undefined` where they were dropped for want of room. */
  readonly read: (() => Buffer) | undefined;
}

interface Extent {
  readonly start: number;
  length: number;
  /** Counted when the block is full; a block that still grows is counted anew. */
  newlines: number | undefined;
}

interface MemoryBlock extends Extent {
  readonly place: 'memory';
  buffer: Buffer;
}

interface SpooledBlock extends Extent {
  readonly place: 'spool';
  readonly position: number;
}

interface DroppedBlock extends Extent {
  readonly place: 'dropped';
}

type Block = MemoryBlock | SpooledBlock | DroppedBlock;

/**
 * All that was appended. In memory: the beginning, the end, and what stands right behind each reader's position. The middle goes
 * to the spool in whole blocks, or where there is none is dropped; how many bytes and lines that were stays known exactly.
 */
export class ByteLog {
  private readonly blocks: Block[] = [];
  private readonly pins = new Set<LogPin>();
  private total = 0;
  /** The memory of a block that was moved out, for the next one: what comes and goes by the megabyte is no work for the collector. */
  private spareBuffer: Buffer | undefined;
  /** When the log has grown to this, it is time to look what memory has no room for. */
  private nextMoveAt: number;

  constructor(
    private readonly budget: ByteLogBudget,
    private readonly spool?: Spool,
  ) {
    this.nextMoveAt = budget.headBytes + budget.tailBytes + LARGEST_BLOCK_BYTES;
  }

  get totalBytes(): number {
    return this.total;
  }

  /** What it takes in memory. */
  get memoryBytes(): number {
    const spare = this.spareBuffer?.length ?? 0;
    return this.blocks.reduce((sum, block) => sum + (block.place === 'memory' ? block.buffer.length : 0), spare);
  }

  /** Bytes that are nowhere any more. */
  get droppedBytes(): number {
    return this.blocks.reduce((sum, block) => sum + (block.place === 'dropped' ? block.length : 0), 0);
  }

  append(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) {
      const block = this.writableBlock(bytes.length - done);
      const count = bytes.copy(block.buffer, block.length, done);
      block.length += count;
      block.newlines = undefined;
      this.total += count;
      done += count;
    }
    if (this.total >= this.nextMoveAt) this.moveMiddle();
  }

  /** Keeps what follows `position` in memory until the pin is moved or removed. */
  pin(position: number): LogPin {
    const pin = { position };
    this.pins.add(pin);
    return pin;
  }

  unpin(pin: LogPin): void {
    this.pins.delete(pin);
  }

  /** What is in memory from `from` on, in order; neighbours that touch are one span. Valid until the next `append`. */
  spans(from: number): readonly Span[] {
    const runs: Span[][] = [];
    for (const block of this.blocksFrom(from)) {
      if (block.place !== 'memory') continue;
      const start = Math.max(from, block.start);
      const span = { start, bytes: block.buffer.subarray(start - block.start, block.length) };
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (run !== undefined && last !== undefined && last.start + last.bytes.length === start) run.push(span);
      else runs.push([span]);
    }
    return runs.map((run) => ({ start: run[0]?.start ?? 0, bytes: joinBytes(run.map((span) => span.bytes)) }));
  }

  /** The first bytes in memory from `from` on, `byteCount` of them or fewer. Valid until the next `append`. */
  peek(from: number, byteCount: number): Buffer {
    const parts: Buffer[] = [];
    let position = from;
    for (const block of this.blocksFrom(from)) {
      if (block.place !== 'memory' || block.start > position || position - from >= byteCount) break;
      const end = Math.min(block.length, from + byteCount - block.start);
      parts.push(block.buffer.subarray(position - block.start, end));
      position = block.start + end;
    }
    return Buffer.concat(parts);
  }

  /** The whole log in pieces of up to 64 KiB, dropped ones in one piece however large, from the one with byte `from` on. */
  pieces(from = 0): readonly LogPiece[] {
    return this.blocksFrom(from).map((block) => ({
      start: block.start,
      end: block.start + block.length,
      newlines: newlinesOf(block, () => this.readBlock(block)),
      read: block.place === 'dropped' ? undefined : () => Buffer.from(this.readBlock(block)),
    }));
  }

  /** Line ends from `start` up to, not including, `end`. Where one of them lies in a dropped piece, that piece counts whole. */
  countNewlines(start: number, end: number): number {
    let newlines = 0;
    for (const block of this.blocksFrom(start)) {
      if (block.start >= end) break;
      const isWhole = block.start >= start && block.start + block.length <= end;
      if (isWhole || block.place === 'dropped') {
        newlines += newlinesOf(block, () => this.readBlock(block));
      } else {
        const bytes = this.readBlock(block);
        newlines += countNewlines(bytes.subarray(Math.max(0, start - block.start), end - block.start));
      }
    }
    return newlines;
  }

  private blocksFrom(position: number): readonly Block[] {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = this.blocks[middle];
      if (block !== undefined && block.start + block.length <= position) low = middle + 1;
      else high = middle;
    }
    return this.blocks.slice(low);
  }

  private readBlock(block: Block): Buffer {
    switch (block.place) {
      case 'memory':
        return block.buffer.subarray(0, block.length);
      case 'spool':
        return this.spool?.read(block.position, block.length) ?? Buffer.alloc(0);
      case 'dropped':
        return Buffer.alloc(0);
    }
  }

  private writableBlock(wantedBytes: number): MemoryBlock {
    const last = this.blocks.at(-1);
    if (last?.place !== 'memory' || last.length >= LARGEST_BLOCK_BYTES) return this.addBlock(wantedBytes);
    if (last.length === last.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(blockSize(last.length + wantedBytes));
      last.buffer.copy(grown, 0, 0, last.length);
      last.buffer = grown;
    }
    return last;
  }

  private addBlock(wantedBytes: number): MemoryBlock {
    // Only the first block of a log may stay small for good.
    const size = this.blocks.length === 0 ? blockSize(wantedBytes) : LARGEST_BLOCK_BYTES;
    const buffer = this.spareBuffer ?? Buffer.allocUnsafeSlow(size);
    this.spareBuffer = undefined;
    const block: MemoryBlock = { place: 'memory', start: this.total, length: 0, newlines: undefined, buffer };
    this.blocks.push(block);
    return block;
  }

  private moveMiddle(): void {
    this.nextMoveAt = this.total + LARGEST_BLOCK_BYTES;
    const tailStart = this.total - this.budget.tailBytes;
    for (const [index, block] of this.blocks.entries()) {
      const end = block.start + block.length;
      if (end > tailStart) break;
      const isKept = block.start < this.budget.headBytes || this.isPinned(block.start, end);
      if (block.place === 'memory' && !isKept) this.blocks[index] = this.moveOut(block);
    }
    this.mergeDropped();
  }

  private moveOut({ start, length, buffer }: MemoryBlock): Block {
    const bytes = buffer.subarray(0, length);
    const newlines = countNewlines(bytes);
    const position = this.spool?.append(bytes);
    this.spareBuffer = buffer;
    if (position === undefined) return { place: 'dropped', start, length, newlines };
    return { place: 'spool', start, length, newlines, position };
  }

  /** However much is dropped, what is known of it stays small. */
  private mergeDropped(): void {
    for (let index = this.blocks.length - 1; index > 0; index--) {
      const before = this.blocks[index - 1];
      const block = this.blocks[index];
      if (before?.place !== 'dropped' || block?.place !== 'dropped') continue;
      before.length += block.length;
      before.newlines = (before.newlines ?? 0) + (block.newlines ?? 0);
      this.blocks.splice(index, 1);
    }
  }

  private isPinned(start: number, end: number): boolean {
    for (const { position } of this.pins) if (start < position + PINNED_BYTES && end > position) return true;
    return false;
  }
}

function newlinesOf(block: Block, read: () => Buffer): number {
  block.newlines ??= countNewlines(read());
  return block.newlines;
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
