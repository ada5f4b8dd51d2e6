import type { Spool } from './spool';

/** Blocks double from the first size to the largest: an idle session stays small, a busy one allocates rarely. */
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

type Place =
  | { readonly kind: 'memory'; buffer: Buffer }
  | { readonly kind: 'spool'; readonly position: number }
  | { readonly kind: 'dropped' };

interface Block {
  readonly start: number;
  length: number;
  place: Place;
  /** Counted when the block is full; a block that still grows is counted anew. */
  newlines: number | undefined;
}

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

  /** Bytes that are nowhere any more. */
  get droppedBytes(): number {
    return this.blocks.reduce((sum, block) => sum + (block.place.kind === 'dropped' ? block.length : 0), 0);
  }

  append(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      const { block, buffer } = this.writableBlock(rest.length);
      const count = Math.min(rest.length, buffer.length - block.length);
      rest.copy(buffer, block.length, 0, count);
      block.length += count;
      block.newlines = undefined;
      this.total += count;
      rest = rest.subarray(count);
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
      if (block.place.kind !== 'memory') continue;
      const start = Math.max(from, block.start);
      const span = { start, bytes: block.place.buffer.subarray(start - block.start, block.length) };
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (run !== undefined && last !== undefined && last.start + last.bytes.length === start) run.push(span);
      else runs.push([span]);
    }
    return runs.map((run) => ({ start: run[0]?.start ?? 0, bytes: joinBytes(run.map((span) => span.bytes)) }));
  }

  /** The whole log in pieces of up to 64 KiB, dropped ones in one piece however large, from the one with byte `from` on. */
  pieces(from = 0): readonly LogPiece[] {
    return this.blocksFrom(from).map((block) => ({
      start: block.start,
      end: block.start + block.length,
      newlines: newlinesOf(block, () => this.readBlock(block)),
      read: block.place.kind === 'dropped' ? undefined : () => Buffer.from(this.readBlock(block)),
    }));
  }

  /** Line ends from `start` up to, not including, `end`. Where one of them lies in a dropped piece, that piece counts whole. */
  countNewlines(start: number, end: number): number {
    let newlines = 0;
    for (const block of this.blocksFrom(start)) {
      if (block.start >= end) break;
      const isWhole = block.start >= start && block.start + block.length <= end;
      if (isWhole || block.place.kind === 'dropped') {
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

  private readBlock({ place, length }: Block): Buffer {
    switch (place.kind) {
      case 'memory':
        return place.buffer.subarray(0, length);
      case 'spool':
        return this.spool?.read(place.position, length) ?? Buffer.alloc(0);
      case 'dropped':
        return Buffer.alloc(0);
    }
  }

  private writableBlock(wantedBytes: number): { block: Block; buffer: Buffer } {
    const last = this.blocks.at(-1);
    if (last?.place.kind === 'memory' && last.length < LARGEST_BLOCK_BYTES) {
      const { place } = last;
      if (last.length === place.buffer.length) {
        const grown = Buffer.allocUnsafeSlow(blockSize(last.length + wantedBytes));
        place.buffer.copy(grown, 0, 0, last.length);
        place.buffer = grown;
      }
      return { block: last, buffer: place.buffer };
    }
    const buffer = this.spareBuffer ?? Buffer.allocUnsafeSlow(blockSize(wantedBytes));
    this.spareBuffer = undefined;
    const block: Block = { start: this.total, length: 0, place: { kind: 'memory', buffer }, newlines: undefined };
    this.blocks.push(block);
    return { block, buffer };
  }

  private moveMiddle(): void {
    this.nextMoveAt = this.total + LARGEST_BLOCK_BYTES;
    const tailStart = this.total - this.budget.tailBytes;
    for (const block of this.blocks) {
      const end = block.start + block.length;
      if (end > tailStart) break;
      const isKept = block.start < this.budget.headBytes || this.isPinned(block.start, end);
      if (block.place.kind === 'memory' && !isKept) this.moveOut(block, block.place.buffer);
    }
    this.mergeDropped();
  }

  private moveOut(block: Block, buffer: Buffer): void {
    const bytes = buffer.subarray(0, block.length);
    this.spareBuffer = buffer;
    block.newlines = countNewlines(bytes);
    const position = this.spool?.append(bytes);
    block.place = position === undefined ? { kind: 'dropped' } : { kind: 'spool', position };
  }

  /** However much is dropped, what is known of it stays small. */
  private mergeDropped(): void {
    for (let index = this.blocks.length - 1; index > 0; index--) {
      const before = this.blocks[index - 1];
      const block = this.blocks[index];
      if (before?.place.kind !== 'dropped' || block?.place.kind !== 'dropped') continue;
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
