import { randomInt } from 'node:crypto';

/** Six digits before five: a model that invents or miscopies an id should miss, and read an error instead of another's output. */
const SMALLEST_ID = 1_000;
const LARGEST_ID = 999_999;

/** Mints integers that were never handed out before by the same minter. */
export class SessionIds {
  private readonly used = new Set<number>();

  /** Marks one as used that was handed out by another minter. */
  reserve(id: number): void {
    this.used.add(id);
  }

  next(): number {
    // Sessions are few against the range, so that a free number is found at once.
    for (;;) {
      const id = randomInt(SMALLEST_ID, LARGEST_ID + 1);
      if (this.used.has(id)) continue;
      this.used.add(id);
      return id;
    }
  }
}
