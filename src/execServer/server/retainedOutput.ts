import type { WireStream } from '../wire/processMethods';

export interface RetainedChunk {
  readonly seq: number;
  readonly stream: WireStream;
  readonly bytes: Buffer;
  /** Bytes of output before it. */
  readonly offset: number;
}

/** So that an output of single bytes does not cost fifty times its size. */
const MAX_CHUNKS = 50_000;
/** Dropped chunks are cut off the list once there are this many: cutting costs as much as the list is long. */
const CUT_CHUNKS = 1_024;

/** Dropped chunks of at least this size are memory for new ones: less is not worth keeping. */
const MIN_SPARE_BYTES = 32 * 1_024;

/** The newest output of one process, within a limit; the oldest goes first. */
export class RetainedOutput {
  private chunks: RetainedChunk[] = [];
  private first = 0;
  private bytes = 0;
  private nextOffset = 0;
  /** The memory of the last large chunk that was dropped: a flood would else make the collector run all the time. */
  private spare: Buffer | undefined;

  constructor(private readonly maxBytes: number) {}

  /** Bytes of all output so far, kept or not. */
  get totalBytes(): number {
    return this.nextOffset;
  }

  /** Memory that nobody uses any more; the caller owns it. */
  takeSpare(): Buffer | undefined {
    const { spare } = this;
    this.spare = undefined;
    return spare;
  }

  /** Owns the bytes. */
  add(seq: number, stream: WireStream, bytes: Buffer): void {
    this.chunks.push({ seq, stream, bytes, offset: this.nextOffset });
    this.nextOffset += bytes.length;
    this.bytes += bytes.length;
    while (this.bytes > this.maxBytes || this.chunks.length - this.first > MAX_CHUNKS) {
      const { bytes: dropped } = this.chunks[this.first] ?? { bytes: Buffer.alloc(0) };
      this.bytes -= dropped.length;
      this.first++;
      if (dropped.length >= MIN_SPARE_BYTES) this.spare = Buffer.from(dropped.buffer, dropped.byteOffset);
    }
    if (this.first < CUT_CHUNKS) return;
    this.chunks = this.chunks.slice(this.first);
    this.first = 0;
  }

  /** Whole chunks after `afterSeq`, at least one if there is any, together at most `maxBytes` unless the first is larger. */
  read(afterSeq: number, maxBytes: number): RetainedChunk[] {
    const found: RetainedChunk[] = [];
    let bytes = 0;
    for (let index = this.first; index < this.chunks.length; index++) {
      const chunk = this.chunks[index];
      if (chunk === undefined || chunk.seq <= afterSeq) continue;
      if (found.length > 0 && bytes + chunk.bytes.length > maxBytes) break;
      found.push(chunk);
      bytes += chunk.bytes.length;
    }
    return found;
  }
}
