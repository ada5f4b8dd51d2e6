import { PieceMemo } from './pieceMemo';
import { NO_RANK, type TokenTable } from './tokenTable';

/** Up to this many bytes a plain search for the best pair beats a heap; nearly all pieces are that short. */
const SHORT_PIECE_BYTES = 256;

/** A heap orders pairs by rank, then by place; both fit into one number that is exact. */
const PLACES = 2 ** 32;

/**
 * Counts the tokens of a piece by byte-pair encoding: every byte is a part, and of all neighbours whose bytes together are a
 * token, those of the lowest rank, of several the first, are merged until there are no such neighbours.
 */
export class BytePairCounter {
  private readonly starts = new Int32Array(SHORT_PIECE_BYTES + 1);
  private readonly ranks = new Int32Array(SHORT_PIECE_BYTES + 1);

  private readonly memo = new PieceMemo();

  constructor(private readonly table: TokenTable) {}

  count(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length < 2 || this.table.rank(bytes, start, end) !== NO_RANK) return Math.min(length, 1);
    if (!this.memo.takes(length)) return this.countAnew(bytes, start, end);
    return this.memo.recall(bytes.subarray(start, end), () => this.countAnew(bytes, start, end));
  }

  private countAnew(bytes: Uint8Array, start: number, end: number): number {
    const isShort = end - start <= SHORT_PIECE_BYTES;
    return isShort ? this.countShort(bytes, start, end) : this.countLong(bytes.subarray(start, end));
  }

  /** The parts lie side by side: `starts[i]` is where part `i` begins, `ranks[i]` the rank that it has with the next one. */
  private countShort(bytes: Uint8Array, start: number, end: number): number {
    const { starts, ranks, table } = this;
    let count = end - start;
    for (let part = 0; part < count; part++) {
      starts[part] = start + part;
      ranks[part] = part + 1 < count ? table.rankOfPair(bytes, start + part) : NO_RANK;
    }
    starts[count] = end;
    for (let at = bestOf(ranks, count); ranks[at] !== NO_RANK; at = bestOf(ranks, count)) {
      count--;
      for (let part = at + 1; part < count; part++) {
        starts[part] = starts[part + 1] ?? end;
        ranks[part] = ranks[part + 1] ?? NO_RANK;
      }
      starts[count] = end;
      ranks[at] = at + 1 < count ? table.rank(bytes, starts[at] ?? start, starts[at + 2] ?? end) : NO_RANK;
      if (at > 0) ranks[at - 1] = table.rank(bytes, starts[at - 1] ?? start, starts[at + 1] ?? end);
    }
    return count;
  }

  /** The parts are a list, each known by where it begins; a heap has the pairs, some of them outdated, best first. */
  private countLong(bytes: Uint8Array): number {
    const { length } = bytes;
    const next = new Int32Array(length + 1);
    const previous = new Int32Array(length + 1);
    const ranks = new Int32Array(length);
    for (let at = 0; at <= length; at++) {
      next[at] = at + 1;
      previous[at] = at - 1;
    }
    const heap = new PairHeap(length);
    const setRank = (at: number, rank: number): void => {
      ranks[at] = rank;
      if (rank !== NO_RANK) heap.push(rank * PLACES + at);
    };
    const rate = (at: number): void => {
      const middle = next[at] ?? length;
      setRank(at, middle < length ? this.table.rank(bytes, at, next[middle] ?? length) : NO_RANK);
    };
    for (let at = 0; at < length; at++) setRank(at, at + 1 < length ? this.table.rankOfPair(bytes, at) : NO_RANK);
    let count = length;
    for (let pair = heap.pop(); pair !== undefined; pair = heap.pop()) {
      const at = pair % PLACES;
      if (ranks[at] !== Math.floor(pair / PLACES)) continue;
      const merged = next[at] ?? length;
      const after = next[merged] ?? length;
      ranks[merged] = NO_RANK;
      next[at] = after;
      previous[after] = at;
      count--;
      rate(at);
      const before = previous[at] ?? -1;
      if (before >= 0) rate(before);
    }
    return count;
  }
}

/** Where the lowest of the first `count` ranks is, the first of several. */
function bestOf(ranks: Int32Array, count: number): number {
  let best = 0;
  for (let part = 1; part < count; part++) if ((ranks[part] ?? NO_RANK) < (ranks[best] ?? NO_RANK)) best = part;
  return best;
}

/** A binary heap of numbers, the smallest first. */
class PairHeap {
  private pairs: Float64Array;
  private count = 0;

  constructor(capacity: number) {
    this.pairs = new Float64Array(capacity);
  }

  push(pair: number): void {
    if (this.count === this.pairs.length) {
      const grown = new Float64Array(this.count * 2);
      grown.set(this.pairs);
      this.pairs = grown;
    }
    const { pairs } = this;
    let at = this.count++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = pairs[parent] ?? 0;
      if (above <= pair) break;
      pairs[at] = above;
      at = parent;
    }
    pairs[at] = pair;
  }

  pop(): number | undefined {
    if (this.count === 0) return undefined;
    const { pairs } = this;
    const top = pairs[0];
    const moved = pairs[--this.count] ?? 0;
    let at = 0;
    for (let child = 1; child < this.count; child = 2 * at + 1) {
      if (child + 1 < this.count && (pairs[child + 1] ?? 0) < (pairs[child] ?? 0)) child++;
      const below = pairs[child] ?? 0;
      if (below >= moved) break;
      pairs[at] = below;
      at = child;
    }
    pairs[at] = moved;
    return top;
  }
}
