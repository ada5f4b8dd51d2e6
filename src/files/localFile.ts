import type { FileHandle } from 'node:fs/promises';
import type { ExecutorFile, FileBlock } from './executorFileSystem';
import { FileError } from './fileError';
import { MAX_BLOCK_BYTES } from './limits';

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
export async function readFully(
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

export async function writeFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
}
