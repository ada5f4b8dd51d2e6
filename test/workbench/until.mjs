import { setTimeout as delay } from 'node:timers/promises';

/** How often a condition is looked at, in milliseconds: quick against what a person notices, cheap against a busy machine. */
const POLL_INTERVAL_MS = 50;

/**
 * The `until` of scripts that run before there is TypeScript. Looks at `condition` again and again until it gives something truthy, and returns that. A condition that throws counts as
 * not met yet; what it threw last is the cause of the error at the deadline.
 */
export async function until(what, condition, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  let lastError;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`, { cause: lastError });
    await delay(POLL_INTERVAL_MS);
  }
}
