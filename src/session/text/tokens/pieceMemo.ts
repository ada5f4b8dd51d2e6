import { hashOf } from './hash';
import { LONGEST_TOKEN_BYTES } from './tokenTable';

/** Output repeats itself: rules of dashes, paths, numbers in columns. Few such pieces are in use at a time. */
const SLOT_COUNT = 512;
/** Shorter ones are counted as soon as found. */
const SHORTEST_BYTES = 16;

/** Remembers how many tokens the pieces have that took work to count, the newest of those that share a slot. About 70 KB. */
export class PieceMemo {
  private readonly bytes = new Uint8Array(SLOT_COUNT * LONGEST_TOKEN_BYTES);
  /** 0 in a slot that is free. */
  private readonly lengths = new Uint8Array(SLOT_COUNT);
  private readonly tokens = new Uint8Array(SLOT_COUNT);

  /** Whether pieces of that length are remembered at all: longer ones than tokens are seldom the same. */
  takes(byteCount: number): boolean {
    return byteCount >= SHORTEST_BYTES && byteCount <= LONGEST_TOKEN_BYTES;
  }

  /** The tokens of a piece, counted by `count` if it is not one of those that are remembered. */
  recall(piece: Uint8Array, count: () => number): number {
    const slot = slotOf(piece);
    if (this.holds(slot, piece)) return this.tokens[slot] ?? 0;
    const tokens = count();
    this.bytes.set(piece, slot * LONGEST_TOKEN_BYTES);
    this.lengths[slot] = piece.length;
    this.tokens[slot] = tokens;
    return tokens;
  }

  private holds(slot: number, piece: Uint8Array): boolean {
    if (this.lengths[slot] !== piece.length) return false;
    const offset = slot * LONGEST_TOKEN_BYTES;
    for (let index = 0; index < piece.length; index++) if (this.bytes[offset + index] !== piece[index]) return false;
    return true;
  }
}

function slotOf(bytes: Uint8Array): number {
  return hashOf(bytes, 0, bytes.length) & (SLOT_COUNT - 1);
}
