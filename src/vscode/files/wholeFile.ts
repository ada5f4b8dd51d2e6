/** Files as editors want them: as a whole, however they travel. */
import { readBlocks, writeBlocks } from '../../files/blocks';
import type { ExecutorFileSystem } from '../../files/executorFileSystem';
import { FileError } from '../../files/fileError';
import { MAX_WHOLE_FILE_BYTES } from '../../files/limits';

/** What is held in memory at once: VS Code takes a file only whole, and the extension host has sessions to keep alive as well. */
export const MAX_EDITOR_FILE_BYTES = 512 * 1_024 * 1_024;

/** Up to {@link MAX_EDITOR_FILE_BYTES}. */
export async function readWhole(files: ExecutorFileSystem, path: string): Promise<Buffer> {
  const { isDirectory, sizeBytes } = await files.getMetadata(path);
  if (isDirectory) throw FileError.ofSystem('EISDIR', path);
  if (sizeBytes <= MAX_WHOLE_FILE_BYTES) return files.readFile(path);
  refuseLarger(sizeBytes, path);
  const file = await files.open(path, 'read');
  try {
    const blocks: Buffer[] = [];
    let bytes = 0;
    for await (const block of readBlocks(file)) {
      bytes += block.length;
      // It may be growing.
      refuseLarger(bytes, path);
      blocks.push(block);
    }
    return Buffer.concat(blocks);
  } finally {
    await file.close();
  }
}

/** Over the file as it is. Up to one block it is all or nothing; what is larger stays as far as it got when it fails. */
export async function writeWhole(files: ExecutorFileSystem, path: string, bytes: Buffer): Promise<void> {
  if (bytes.length <= MAX_WHOLE_FILE_BYTES) return files.writeFile(path, bytes);
  const file = await files.open(path, 'replace');
  try {
    await writeBlocks(file, [bytes]);
  } finally {
    await file.close();
  }
}

function refuseLarger(bytes: number, path: string): void {
  if (bytes <= MAX_EDITOR_FILE_BYTES) return;
  throw FileError.refused(`${path} is too large for an editor: the limit is ${MAX_EDITOR_FILE_BYTES} bytes.`);
}
