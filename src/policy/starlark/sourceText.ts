/** A stretch of a text in UTF-16 units from its start: `end` is the first that does not belong to it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Counted from 1, as people and most tools do; columns in UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where in which file something stands. */
export interface SourceRange {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

/** The text of a file, and where in it things stand. */
export class SourceText {
  private lineStarts: readonly number[] | undefined;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  rangeOf({ start, end }: Span): SourceRange {
    return { file: this.file, start: this.positionAt(start), end: this.positionAt(end) };
  }

  private positionAt(offset: number): Position {
    const starts = (this.lineStarts ??= startsOfLines(this.text));
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function startsOfLines(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}
