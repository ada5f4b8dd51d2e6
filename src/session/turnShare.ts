/**
 * What one kind of work may take of a turn of the event loop, in milliseconds: a program is started in about one, so that many
 * at once would keep everybody else waiting, the editor included.
 */
const MAX_SHARE_MS = 20;

/** Lets work that comes all at once have a share of each turn of the event loop, in the order in which it came. */
export class TurnShare {
  private usedMs = 0;
  private nextTurn: Promise<void> | undefined;

  /** Does the work now, or in a later turn; what it takes before it returns its promise is counted. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.usedMs >= MAX_SHARE_MS) await this.nextTurn;
    const startMs = performance.now();
    const result = work();
    this.usedMs += performance.now() - startMs;
    this.nextTurn ??= this.refill();
    return result;
  }

  private refill(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.usedMs = 0;
        this.nextTurn = undefined;
        resolve();
      });
    });
  }
}
