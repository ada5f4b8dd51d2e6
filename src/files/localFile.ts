import type { FileHandle } from 'node:fs/promises';
import type { ExecutorFile, FileBlock } from './executorFileSystem';
import { FileError } from './fileError';
import { MAX_BLOCK_BYTES } from './limits';

/** Enough for most files of the kernel, which are made as they are read. */
const FIRST_READ_BYTES = 8 * 1_024;

/** An open regular file of this machine. */
export class LocalFile implements ExecutorFile {
  private closing: Promise<void> | undefined;

  /** Owns the handle. */
  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  async readBlock(offset: number, length: number): Promise<FileBlock> {
    this.checkBlock('read', length);
    try {
      const bytes = await readFully(this.handle, { offset, length });
      return { bytes, isEnd: bytes.length < length };
    } catch (error) {
      throw FileError.from(error, this.path);
    }
  }

  async writeBlock(offset: number, bytes: Buffer): Promise<void> {
    this.checkBlock('written', bytes.length);
    try {
      await writeFully(this.handle, bytes, offset);
    } catch (error) {
      throw FileError.from(error, this.path);
    }
  }

  close(): Promise<void> {
    this.closing ??= this.handle.close();
    return this.closing;
  }

  private checkBlock(done: string, length: number): void {
    if (this.closing !== undefined) throw FileError.ofSystem('EBADF', this.path, 'since it was closed');
    if (length >= 1 && length <= MAX_BLOCK_BYTES) return;
    throw FileError.refused(`A block of ${length} bytes cannot be ${done}: give 1 to ${MAX_BLOCK_BYTES} bytes.`);
  }
}

/** Up to `length` bytes: fewer only at the end. */
async function readFully(
  handle: FileHandle,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** From the start to the end, but no more than `maxBytes`; takes memory for what is there, not for what may be. */
export async function readWhole(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  // One more than it should have, to see its end; those of the kernel say that they have none.
  let length = Math.max((await handle.stat()).size + 1, FIRST_READ_BYTES);
  for (let offset = 0; offset < maxBytes; length = MAX_BLOCK_BYTES) {
    const wanted = Math.min(length, maxBytes - offset);
    const block = await readFully(handle, { offset, length: wanted });
    blocks.push(block);
    offset += block.length;
    if (block.length < wanted) break;
  }
  return Buffer.concat(blocks);
}

export async function writeFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
}
