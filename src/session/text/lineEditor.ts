import { isContinuation, wholeCharactersLength } from './utf8';

/** A line longer than this is handed on in pieces that cannot be edited any more: no progress bar is that wide. */
const MAX_EDITABLE_BYTES = 65_536;
const FIRST_CAPACITY_BYTES = 256;
const TAB_STOP = 8;

const SPACE = 0x20;
const NEWLINE = Buffer.from('\n');

/** The line that the cursor is on, as UTF-8 with the cursor between two characters. Every character counts as one column. */
export class LineEditor {
  private bytes: Buffer = Buffer.alloc(0);
  private length = 0;
  /** Byte offset; beyond `length` never. */
  private cursor = 0;
  /** Columns that the cursor stands right of the end of the line; filled with spaces once something is written there. */
  private beyond = 0;
  /** The beginning of a character whose rest comes with the next bytes, while the cursor is inside the line. */
  private partial: Buffer = Buffer.alloc(0);

  /** Column at which the row of the terminal begins that the cursor is on, where a line takes several; as far as it is known. */
  private rowStart = 0;

  constructor(
    private readonly sink: (text: Buffer) => void,
    private readonly columns: () => number = () => Infinity,
  ) {}

  get isCursorAtEnd(): boolean {
    return this.cursor === this.length && this.beyond === 0 && this.partial.length === 0;
  }

  content(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  put(text: Buffer): void {
    this.fillBeyond();
    if (this.isCursorAtEnd) this.splice(0, text);
    else this.overwrite(text);
    if (this.length > MAX_EDITABLE_BYTES) this.flushWholeCharacters();
  }

  /** Ends the line. */
  finish(): void {
    this.splicePartial();
    this.cursor = this.length;
    this.splice(0, NEWLINE);
    this.sink(this.bytes.subarray(0, this.length));
    this.clear();
  }

  finishUnlessEmpty(): void {
    if (this.length > 0) this.finish();
  }

  /**
   * Carriage return. Line editors of shells go on to the next row of a long line by a space, which the terminal puts there, and a
   * return to the start of that row, not of the line.
   */
  returnToStart(): void {
    const columns = this.columns();
    if (this.isCursorAtEnd && this.length > columns && this.bytes[this.length - 1] === SPACE) {
      const column = this.columnsBefore(this.length);
      if (column % columns === 1) this.rowStart = column - 1;
    }
    this.moveTo(this.rowStart);
  }

  /** Hands the content on without ending the line. */
  flush(): void {
    this.splicePartial();
    if (this.length > 0) this.sink(this.bytes.subarray(0, this.length));
    this.clear();
  }

  /** What is begun stays: the log is read at any time, and must not end inside a character. */
  private flushWholeCharacters(): void {
    const begun = Buffer.from(this.bytes.subarray(wholeCharactersLength(this.bytes.subarray(0, this.length)), this.length));
    this.length -= begun.length;
    this.cursor = Math.min(this.cursor, this.length);
    this.flush();
    this.splice(0, begun);
  }

  /** `column` counts characters from 0. */
  moveTo(column: number): void {
    this.splicePartial();
    this.cursor = 0;
    this.beyond = 0;
    this.moveBy(column);
  }

  moveBy(columns: number): void {
    this.splicePartial();
    for (let left = -columns; left > 0; left--) {
      if (this.beyond > 0) this.beyond--;
      else this.cursor = this.previous(this.cursor);
    }
    for (let right = columns; right > 0; right--) {
      if (this.cursor === this.length) {
        this.beyond = Math.min(this.beyond + right, MAX_EDITABLE_BYTES);
        return;
      }
      this.cursor = this.next(this.cursor);
    }
  }

  tab(): void {
    if (this.isCursorAtEnd) {
      this.put(Buffer.from('\t'));
      return;
    }
    const column = this.columnsBefore(this.cursor) + this.beyond;
    this.moveBy(TAB_STOP - (column % TAB_STOP));
  }

  eraseToEnd(): void {
    this.splicePartial();
    this.length = this.cursor;
  }

  blankToCursor(): void {
    this.splicePartial();
    const columns = this.columnsBefore(this.cursor);
    const rest = Buffer.from(this.bytes.subarray(this.cursor, this.length));
    this.length = this.cursor = 0;
    this.splice(0, Buffer.alloc(columns, ' '));
    this.splice(0, rest);
    this.cursor = columns;
  }

  eraseAll(): void {
    this.splicePartial();
    this.beyond += this.columnsBefore(this.cursor);
    this.length = this.cursor = 0;
  }

  deleteCharacters(count: number): void {
    this.splicePartial();
    this.splice(this.advance(this.cursor, count) - this.cursor, Buffer.alloc(0));
  }

  insertSpaces(count: number): void {
    this.splicePartial();
    const at = this.cursor;
    this.splice(0, Buffer.alloc(Math.min(count, MAX_EDITABLE_BYTES), ' '));
    this.cursor = at;
  }

  blank(count: number): void {
    this.splicePartial();
    const at = this.cursor;
    const end = this.advance(at, count);
    const columns = this.columnsBefore(end) - this.columnsBefore(at);
    this.splice(end - at, Buffer.alloc(columns, ' '));
    this.cursor = at;
  }

  private overwrite(text: Buffer): void {
    const joined = this.partial.length === 0 ? text : Buffer.concat([this.partial, text]);
    const wholeLength = wholeCharactersLength(joined);
    this.partial = Buffer.from(joined.subarray(wholeLength));
    const whole = joined.subarray(0, wholeLength);
    this.splice(this.advance(this.cursor, countCharacters(whole)) - this.cursor, whole);
  }

  /** A character that stays unfinished is broken; it is kept as it came. */
  private splicePartial(): void {
    if (this.partial.length === 0) return;
    const { partial } = this;
    this.partial = Buffer.alloc(0);
    this.splice(0, partial);
  }

  private fillBeyond(): void {
    if (this.beyond === 0) return;
    const spaces = Buffer.alloc(this.beyond, ' ');
    this.beyond = 0;
    this.splice(0, spaces);
  }

  /** Puts `text` in place of the `removed` bytes after the cursor and moves the cursor behind it. */
  private splice(removed: number, text: Buffer): void {
    const newLength = this.length - removed + text.length;
    if (newLength > this.bytes.length) this.grow(newLength);
    this.bytes.copyWithin(this.cursor + text.length, this.cursor + removed, this.length);
    text.copy(this.bytes, this.cursor);
    this.cursor += text.length;
    this.length = newLength;
  }

  private grow(neededBytes: number): void {
    const grown = Buffer.allocUnsafe(Math.max(FIRST_CAPACITY_BYTES, neededBytes * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  private clear(): void {
    this.length = this.cursor = this.beyond = this.rowStart = 0;
    // A long line's memory is not held for the short ones that follow.
    if (this.bytes.length > MAX_EDITABLE_BYTES) this.bytes = Buffer.alloc(0);
  }

  private advance(from: number, characters: number): number {
    let at = from;
    for (let left = characters; left > 0 && at < this.length; left--) at = this.next(at);
    return at;
  }

  private next(at: number): number {
    let index = at + 1;
    while (index < this.length && isContinuation(this.bytes[index])) index++;
    return Math.min(index, this.length);
  }

  private previous(at: number): number {
    let index = at - 1;
    while (index > 0 && isContinuation(this.bytes[index])) index--;
    return Math.max(index, 0);
  }

  private columnsBefore(end: number): number {
    return countCharacters(this.bytes.subarray(0, end));
  }
}

function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (!isContinuation(byte)) count++;
  return count;
}
