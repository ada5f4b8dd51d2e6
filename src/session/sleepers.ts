export interface SleepOptions {
  /** Ends the sleep early. */
  readonly signal?: AbortSignal | undefined;
  readonly wakesOnOutput?: boolean;
}

interface Sleeper {
  readonly wake: () => void;
  readonly wakesOnOutput: boolean;
}

/** Those who wait for a session. */
export class Sleepers {
  private readonly sleepers = new Set<Sleeper>();

  /** Resolves after `ms`, at the end of the session or, where that is asked for, with the next output. */
  sleep(ms: number, { signal, wakesOnOutput = false }: SleepOptions): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { wake, wakesOnOutput };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
      this.sleepers.add(sleeper);
    });
  }

  wakeOnOutput(): void {
    for (const { wake, wakesOnOutput } of [...this.sleepers]) if (wakesOnOutput) wake();
  }

  wakeAll(): void {
    for (const { wake } of [...this.sleepers]) wake();
  }
}
