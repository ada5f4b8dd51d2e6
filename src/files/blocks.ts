/** Whole files as streams of blocks, with few blocks in memory however large the file is. */
import type { ExecutorFile, FileBlock } from './executorFileSystem';
import { BLOCKS_ON_THE_WAY, MAX_BLOCK_BYTES } from './limits';

/** From the start to the end. Asks for one block first, since most files have no more, and then for several at once. */
export async function* readBlocks(file: ExecutorFile): AsyncGenerator<Buffer, void, undefined> {
  const asked: Promise<FileBlock>[] = [];
  let offset = 0;
  for (let ahead = 1; ; ahead = BLOCKS_ON_THE_WAY) {
    while (asked.length < ahead) {
      asked.push(handledLater(file.readBlock(offset, MAX_BLOCK_BYTES)));
      offset += MAX_BLOCK_BYTES;
    }
    const block = await asked.shift();
    if (block === undefined) return;
    if (block.bytes.length > 0) yield block.bytes;
    if (block.isEnd) return;
  }
}

/** From the start on; takes chunks only as fast as they are written. Resolves when all are. */
export async function writeBlocks(file: ExecutorFile, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const written: Promise<void>[] = [];
  let offset = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += MAX_BLOCK_BYTES) {
      if (written.length === BLOCKS_ON_THE_WAY) await written.shift();
      const block = chunk.subarray(start, start + MAX_BLOCK_BYTES);
      written.push(handledLater(file.writeBlock(offset, block)));
      offset += block.length;
    }
  }
  await Promise.all(written);
}

/** Whoever waits for it learns of its failure; without anybody it is no unhandled rejection. */
function handledLater<T>(done: Promise<T>): Promise<T> {
  done.catch(() => undefined);
  return done;
}
