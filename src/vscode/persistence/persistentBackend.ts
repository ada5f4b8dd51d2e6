import type { ExecBackend } from '../../process/execProcess';

export interface PersistentBackendOptions {
  /** Runs what ends with this window. */
  readonly local: ExecBackend;
  /** Runs what outlives it. */
  readonly host: ExecBackend;
  /** Asked anew at each start. */
  readonly isPersistent: () => boolean;
}

/** Starts programs in this process or in the session host, as the user has it. */
export function persistentBackend({ local, host, isPersistent }: PersistentBackendOptions): ExecBackend {
  return { start: (spec) => (isPersistent() ? host : local).start(spec) };
}
