import type { Disposable } from '../../base/disposable';

/** The first look after something happened: nobody sees a mark on a list earlier, and a quick command has ended before it. */
const FIRST_LOOK_MS = 50;
/**
 * The rarest look at a program that prints nothing and is typed nothing: only one that begins to wait without a word, long after
 * its last, is noticed so late. Two hundred idle sessions cost about 1 % of a processor.
 */
const LONGEST_LOOK_MS = 5_000;
/** The next look comes after this part of the time in which nothing has happened. */
const PART_OF_QUIET = 1 / 4;

/** What prints without a pause is at work: it is looked at no more often than this. */
const LOOK_WHILE_BUSY_MS = 500;

/** Looks at a program while nobody waits for it: soon after something happened, then ever more rarely. Keeps no process alive. */
export class Lookout implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private dueMs = Infinity;
  private lastActivityMs = performance.now();
  private lastLookMs = -Infinity;
  private isDisposed = false;

  constructor(private readonly look: () => void) {
    this.schedule(FIRST_LOOK_MS);
  }

  /** Something was printed or typed. */
  noteActivity(): void {
    this.lastActivityMs = performance.now();
    if (this.dueMs > this.lastActivityMs + FIRST_LOOK_MS) this.schedule(FIRST_LOOK_MS);
  }

  /** Somebody else has just looked: no need to do it again at once. */
  noteLook(): void {
    this.lastLookMs = performance.now();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (this.isDisposed) return;
    clearTimeout(this.timer);
    this.dueMs = performance.now() + ms;
    this.timer = setTimeout(() => this.wake(), ms);
    this.timer.unref();
  }

  private wake(): void {
    const now = performance.now();
    const quietMs = now - this.lastActivityMs;
    const intervalMs = Math.min(LONGEST_LOOK_MS, Math.max(FIRST_LOOK_MS, quietMs * PART_OF_QUIET));
    if (now - this.lastLookMs >= (quietMs < FIRST_LOOK_MS ? LOOK_WHILE_BUSY_MS : intervalMs)) this.look();
    this.schedule(intervalMs);
  }
}
