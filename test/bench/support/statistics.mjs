/** The value below which `share` (0..1) of the samples lie; undefined without samples, so that a table shows a gap and not a zero. */
export function percentile(samples, share) {
  if (samples.length === 0) return undefined;
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Medians, because one scheduling hiccup on a shared machine moves a mean and not a median. */
export const median = (samples) => percentile(samples, 0.5);

/** What every timing row of a report holds. */
export function summarise(samples) {
  return { count: samples.length, minMs: percentile(samples, 0), p50Ms: median(samples), p95Ms: percentile(samples, 0.95) };
}

/** Ratio of two medians of one run, the only figure that may be compared between runs. */
export function ratio(value, base) {
  return value === undefined || base === undefined || base === 0 ? undefined : value / base;
}
