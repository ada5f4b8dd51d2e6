import { stopContestant } from '../contestants/roster.mjs';
import { timed, within } from './time.mjs';

/** A short command or an echo that takes this long has hung. */
const CALL_TIMEOUT_MS = 20_000;

/**
 * One timed call. The first failure ends a contestant's part in the benchmark: its row says why, and it is stopped so that
 * what it still does is not measured in another one's turn.
 * @returns what `timed` returns, or undefined when the row failed now or before
 */
export async function attempt(row, what, call, timeoutMs = CALL_TIMEOUT_MS) {
  if (row.failure !== undefined) return undefined;
  try {
    return await timed(() => within(call(), timeoutMs, what));
  } catch (error) {
    row.failure = `failed: ${error.message}`;
    await stopContestant(row.contestant);
    return undefined;
  }
}
