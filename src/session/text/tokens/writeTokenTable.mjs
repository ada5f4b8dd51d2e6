/**
 * A step of the build: writes the vocabulary of o200k_base as the one file that `tokenTable.ts` reads. Its format:
 *
 *   4 bytes    the number of tokens N, little-endian
 *   N bytes    the length in bytes of each token, in the order of the ranks: the first has rank 0
 *   the rest   the bytes of all tokens, in the same order, with nothing between them
 *
 * How a token is found is worked out when the table is loaded: that takes some milliseconds and would triple the file.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Also in `tokenTable.ts`. */
const TABLE_FILE = 'o200k_base.tokens';

/** The file appears as a whole or not at all: others may build into, or run from, the same folder. */
export async function writeTokenTable(folder) {
  const { default: ranks } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const temporary = join(folder, `.${TABLE_FILE}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(temporary, tableOf(ranks));
    await rename(temporary, join(folder, TABLE_FILE));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `ranks` holds tokens that are whole characters as strings, others as arrays of bytes. */
function tableOf(ranks) {
  const tokens = ranks.map((token) => Buffer.from(token));
  const count = Buffer.alloc(4);
  count.writeUInt32LE(tokens.length);
  return Buffer.concat([count, Buffer.from(tokens.map((token) => token.length)), ...tokens]);
}
