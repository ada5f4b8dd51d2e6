import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash';

/** Where the build puts files that belong to the bundles; esbuild and the test runner write the folder in place of the name. */
declare const BUILT_DATA_FOLDER: string;

/** Written by `writeTokenTable.mjs`, which also tells its format. */
const TABLE_FILE = 'o200k_base.tokens';
const COUNT_BYTES = 4;
const BYTE_VALUES = 256;

/** Of the longest token, 128 spaces. */
export const LONGEST_TOKEN_BYTES = 128;

/** What bytes have for a rank that are no token: worse than any. */
export const NO_RANK = 0x7fff_ffff;

/** Cells for 200,000 tokens so that most searches end at the first: two in five are taken. */
const CELL_COUNT = 2 ** 19;
/** A cell holds the rank plus 1 in its low bits and above them some bits of the hash, so that it seldom takes a second look. */
const RANK_BITS = 18;
const RANK_MASK = 2 ** RANK_BITS - 1;

/** The tokens of a vocabulary. The lower the rank of one, the earlier its halves are merged. About 4.5 MB. */
export class TokenTable {
  private readonly tokens: Uint8Array;
  /** Where the token of each rank begins, and where the last one ends. */
  private readonly starts: Uint32Array;
  private readonly cells = new Int32Array(CELL_COUNT);
  /** The ranks of tokens of two bytes, plus 1: every merge of a piece begins with these. */
  private readonly pairs = new Int32Array(BYTE_VALUES * BYTE_VALUES);

  constructor(file: Uint8Array) {
    const count = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(0, true);
    const lengths = file.subarray(COUNT_BYTES, COUNT_BYTES + count);
    this.tokens = file.subarray(COUNT_BYTES + count);
    this.starts = new Uint32Array(count + 1);
    for (let rank = 0; rank < count; rank++) this.starts[rank + 1] = (this.starts[rank] ?? 0) + (lengths[rank] ?? 0);
    if (count === 0 || this.starts[count] !== this.tokens.length) throw new Error('The table of tokens is damaged');
    for (let rank = 0; rank < count; rank++) this.insert(rank);
  }

  /** The rank of the token with exactly these bytes, or {@link NO_RANK}. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > LONGEST_TOKEN_BYTES) return NO_RANK;
    const hash = hashOf(bytes, start, end);
    for (let slot = slotOf(hash); ; slot = nextSlot(slot)) {
      const cell = this.cells[slot] ?? 0;
      if (cell === 0) return NO_RANK;
      if (cell >>> RANK_BITS !== hash >>> RANK_BITS) continue;
      const rank = (cell & RANK_MASK) - 1;
      const tokenStart = this.starts[rank] ?? 0;
      if ((this.starts[rank + 1] ?? 0) - tokenStart !== end - start) continue;
      let index = start;
      while (index < end && this.tokens[tokenStart + index - start] === bytes[index]) index++;
      if (index === end) return rank;
    }
  }

  /** {@link rank} of the two bytes at `start`, sooner found. */
  rankOfPair(bytes: Uint8Array, start: number): number {
    const cell = this.pairs[pairAt(bytes, start)] ?? 0;
    return cell === 0 ? NO_RANK : cell - 1;
  }

  private insert(rank: number): void {
    const start = this.starts[rank] ?? 0;
    const end = this.starts[rank + 1] ?? 0;
    if (end - start === 2) this.pairs[pairAt(this.tokens, start)] = rank + 1;
    const hash = hashOf(this.tokens, start, end);
    let slot = slotOf(hash);
    while (this.cells[slot] !== 0) slot = nextSlot(slot);
    this.cells[slot] = ((hash >>> RANK_BITS) << RANK_BITS) | (rank + 1);
  }
}

/** Reads the table that lies beside the bundle: some milliseconds, so do it when tokens have to be counted and not before. */
export function loadTokenTable(folder: string = BUILT_DATA_FOLDER): TokenTable {
  const path = join(folder, TABLE_FILE);
  try {
    return new TokenTable(readFileSync(path));
  } catch (cause) {
    throw new Error(`The table of tokens at ${path} cannot be read: build or install the extension again`, { cause });
  }
}

function pairAt(bytes: Uint8Array, start: number): number {
  return (bytes[start] ?? 0) * BYTE_VALUES + (bytes[start + 1] ?? 0);
}

function slotOf(hash: number): number {
  return hash & (CELL_COUNT - 1);
}

function nextSlot(slot: number): number {
  return (slot + 1) & (CELL_COUNT - 1);
}
