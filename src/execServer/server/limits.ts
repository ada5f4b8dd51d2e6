export interface SessionLimits {
  /** How long the processes of a session without a connection live. */
  readonly detachedLifetimeMs: number;
  /** How long a process can still be read after its end. */
  readonly closedRetentionMs: number;
  /** How much of the output of a process is kept for reading again. */
  readonly retainedBytes: number;
}

/** Those of Codex's own server, as observed: its clients count on them. */
export const DEFAULT_LIMITS: SessionLimits = {
  detachedLifetimeMs: 80_000,
  closedRetentionMs: 80_000,
  retainedBytes: 1_024 * 1_024,
};

/** Enough for every process of a busy client to be waited for at once. */
export const DEFAULT_CONCURRENT_REQUESTS = 128;

/** With so much on its way to an end that takes nothing, nothing is read for it any more, until all of it has gone. */
export const FULL_BACKLOG_BYTES = 1_024 * 1_024;
