export const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Rejects when `promise` is not settled in time: a peer that hangs becomes a named row and not a bench that hangs. */
export async function within(promise, timeoutMs, what) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` and tells how long it took, in ms, beside its result. */
export async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { result, elapsedMs: performance.now() - startedAt };
}
