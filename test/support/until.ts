import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;

/** Waits until `condition` gives something other than `undefined` or `false`, and returns it. Fails with `what` after `timeoutMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 10_000,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`timed out after ${String(timeoutMs)} ms waiting until ${what}`);
    await delay(POLL_MS);
  }
}
