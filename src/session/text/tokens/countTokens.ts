import { BytePairCounter } from './bytePairs';
import { pieceEnd } from './pieces';
import { LONGEST_TOKEN_BYTES, loadTokenTable } from './tokenTable';

let pairs: BytePairCounter | undefined;

/**
 * Tokens of o200k_base in UTF-8 text, counted as its encoder counts what may hold no special tokens. The first call loads the
 * table. Bytes that are no UTF-8 are counted as they are: what a decoder puts in their place may be more.
 */
export function countTokens(bytes: Uint8Array): number {
  let tokens = 0;
  for (let start = 0; start < bytes.length;) {
    const end = pieceEnd(bytes, start, bytes.length);
    tokens += tokensOfPiece(bytes, start, end);
    start = end;
  }
  return tokens;
}

/** As {@link countTokens}, but gives up with `undefined` when there are more than `limit`, mostly long before it has counted them. */
export function countTokensUpTo(bytes: Uint8Array, limit: number): number | undefined {
  return fewestTokens(bytes, limit) > limit ? undefined : atMost(limit, countTokens(bytes));
}

/** Tokens of what {@link pieceEnd} has found to be one piece. */
export function tokensOfPiece(bytes: Uint8Array, start: number, end: number): number {
  pairs ??= new BytePairCounter(loadTokenTable());
  return pairs.count(bytes, start, end);
}

/** Every piece has a token of its own, and more where it is longer than any token. Stops above `limit`. */
function fewestTokens(bytes: Uint8Array, limit: number): number {
  let fewest = 0;
  for (let start = 0; start < bytes.length && fewest <= limit;) {
    const end = pieceEnd(bytes, start, bytes.length);
    fewest += Math.ceil((end - start) / LONGEST_TOKEN_BYTES);
    start = end;
  }
  return fewest;
}

function atMost(limit: number, tokens: number): number | undefined {
  return tokens <= limit ? tokens : undefined;
}
