/**
 * Puts the numbered events of one process into their order: what comes early waits for what is missing, what comes again is
 * dropped. Numbers start at 1.
 */
export class EventOrder<T> {
  private readonly early = new Map<number, T>();
  private last = 0;

  constructor(private readonly deliver: (event: T) => void) {}

  /** The number of the last event that was delivered. */
  get lastSeq(): number {
    return this.last;
  }

  /** Whether something waits for what is missing before it. */
  get hasHole(): boolean {
    return this.early.size > 0;
  }

  add(seq: number, event: T): void {
    if (seq <= this.last) return;
    this.early.set(seq, event);
    this.deliverNext();
  }

  /** Takes everything up to `seq` for delivered. */
  skipTo(seq: number): void {
    if (seq <= this.last) return;
    for (const early of [...this.early.keys()]) if (early <= seq) this.early.delete(early);
    this.last = seq;
    this.deliverNext();
  }

  private deliverNext(): void {
    for (let event = this.early.get(this.last + 1); event !== undefined; event = this.early.get(this.last + 1)) {
      this.early.delete(++this.last);
      this.deliver(event);
    }
  }
}
