/** Output that comes within this time counts as one piece: no player and no screen draws more often than every 16 ms. */
const COALESCE_MS = 10;
/** Pieces that are told apart at the most: 256 KiB, for 22 minutes of a spinner that turns every 80 ms. */
const MAX_MARKS = 16_384;

/** Where a piece of output begins, in bytes, and when it came. */
export interface OutputMark {
  readonly start: number;
  readonly atMs: number;
}

/** When output came, in bounded memory: where there are too many pieces, old ones are joined, and keep the time of the first. */
export class OutputTimes {
  // Two lists of numbers take a quarter of the memory of one list of objects.
  private starts: number[] = [];
  private times: number[] = [];

  /** What begins at `start` came at `atMs`, and came last. */
  note(start: number, atMs: number): void {
    const lastMs = this.times.at(-1);
    if (lastMs !== undefined && atMs - lastMs < COALESCE_MS) return;
    this.starts.push(start);
    this.times.push(atMs);
    if (this.starts.length > MAX_MARKS) this.thinOut();
  }

  /** Forgets when it came what lies before `position`. */
  forgetBefore(position: number): void {
    const first = Math.max(0, this.indexOf(position));
    this.starts = this.starts.slice(first);
    this.times = this.times.slice(first);
  }

  /** The pieces from byte `from` on, which is where the first one begins. */
  marksFrom(from: number): OutputMark[] {
    const first = Math.max(0, this.indexOf(from));
    return this.starts.slice(first).map((start, index) => ({
      start: Math.max(start, from),
      atMs: this.times[first + index] ?? 0,
    }));
  }

  /** The index of the piece with the byte at `position`; -1 where nothing is known of it. */
  private indexOf(position: number): number {
    return this.starts.findLastIndex((start) => start <= position);
  }

  /** Joins neighbours in the older half. */
  private thinOut(): void {
    const half = this.starts.length / 2;
    const isKept = (_: number, index: number): boolean => index >= half || index % 2 === 0;
    this.starts = this.starts.filter(isKept);
    this.times = this.times.filter(isKept);
  }
}
