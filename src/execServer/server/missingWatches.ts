import type { Disposable } from '../../base/disposable';

/** Begins a watch; `undefined` where there is nothing to wait for. */
export type StartWatch = (onChange: () => void) => Promise<Disposable | undefined>;

/** What one connection waits for: the newest watch, by the numbers that its client gives them in rising order. */
export class MissingWatches implements Disposable {
  private lastId = -1;
  private active: Disposable | undefined;

  constructor(private readonly onChange: (watchId: number) => void) {}

  /** Whether it is watched now. A number that is not higher than all before changes nothing. */
  async replace(watchId: number, start: StartWatch): Promise<boolean> {
    if (watchId <= this.lastId) return false;
    this.lastId = watchId;
    this.active?.dispose();
    this.active = undefined;
    const tell = (): void => {
      if (watchId === this.lastId) this.onChange(watchId);
    };
    const progress = { isBegun: false, isOver: false };
    const watch = await start(() => {
      progress.isOver = true;
      if (progress.isBegun) tell();
    });
    progress.isBegun = true;
    // Not before the answer: a client knows the watch only from then on.
    if (progress.isOver) setImmediate(tell);
    if (watchId !== this.lastId) {
      watch?.dispose();
      return false;
    }
    this.active = watch;
    return watch !== undefined;
  }

  /** For a new connection, whose numbers begin anew. */
  dispose(): void {
    this.lastId = -1;
    this.active?.dispose();
    this.active = undefined;
  }
}
