/**
 * Turns what a program sends to a terminal into the text that a reader would have seen, while it streams: escape sequences
 * go, carriage return, backspace and erase act on the current line, so that of a progress bar its last frame remains, and
 * what a full-screen program draws on the alternate screen leaves no trace, as in a terminal. Does not model the main screen:
 * programs that address lines above the current one keep every frame.
 */
import { type EscapeHandler, EscapeParser } from './escapeParser';
import { LineEditor } from './lineEditor';
import { isTerminalQuery } from '../terminal/terminalQueries';

const BACKSPACE = 0x08;
const TAB = 0x09;
const NEWLINE = 0x0a;
const VERTICAL_TAB = 0x0b;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DELETE = 0x7f;
const SECOND_BLOCK = 0xc2;

/** Private modes 47, 1047 and 1049 of xterm, alone or in a list. */
const ALTERNATE_SCREEN_MODES = /^\?(?:.*;)?(?:47|1047|1049)(?:;|$)/;
/** Private mode 25: whether the cursor is shown. */
const CURSOR_MODE = /^\?(?:.*;)?25(?:;|$)/;

export interface TextFilterOptions {
  /** Gets finished lines with `\n` as their end, and pieces of lines too long to be edited. Valid only during the call. */
  readonly sink: (text: Buffer) => void;
  /** How wide the terminal is now; without one, or without this, no line wraps. */
  readonly columns?: (() => number) | undefined;
  /** Called for each question to the terminal, with the sequence that asks it. */
  readonly onQuery?: ((sequence: string) => void) | undefined;
}

export class TextFilter implements EscapeHandler {
  private readonly parser = new EscapeParser(this);
  private readonly mainLine: LineEditor;
  /** Where the text of full-screen programs goes. */
  private readonly nowhere = new LineEditor(() => undefined);
  private isAlternate = false;
  private isCursorHidden = false;
  private hasDrawn = false;

  constructor(private readonly options: TextFilterOptions) {
    this.mainLine = new LineEditor(options.sink, options.columns);
  }

  /** What stands on the current line so far. */
  get unfinishedLine(): Buffer {
    return this.mainLine.content();
  }

  /**
   * Whether the program draws on the whole screen: on the alternate one, or, as top does, on the main one with the cursor hidden
   * and put where it likes.
   */
  get isFullScreen(): boolean {
    return this.isAlternate || (this.isCursorHidden && this.hasDrawn);
  }

  push(chunk: Buffer): void {
    if (!this.pushPlain(chunk)) this.parser.push(chunk);
  }

  /** The program has ended: its last line is finished although nothing ended it. */
  end(): void {
    this.mainLine.flush();
  }

  text(bytes: Buffer): void {
    this.line.put(bytes);
  }

  control(byte: number): void {
    switch (byte) {
      case NEWLINE:
      case VERTICAL_TAB:
      case FORM_FEED:
        this.line.finish();
        break;
      case CARRIAGE_RETURN:
        this.line.returnToStart();
        break;
      case BACKSPACE:
        this.line.moveBy(-1);
        break;
      case TAB:
        this.line.tab();
        break;
      default:
      // The rest rings, shifts character sets or pads; a reader sees nothing of it.
    }
  }

  escape(final: string): void {
    if (final === 'E') this.line.finish();
  }

  osc(content: string): void {
    this.askIfQuery(`\x1b]${content}\x1b\\`);
  }

  csi(parameters: string, final: string): void {
    this.askIfQuery(`\x1b[${parameters}${final}`);
    if (final === 'h' || final === 'l') this.setModes(parameters, final === 'h');
    // Private and intermediate forms (`?`, `>`, space, …) set modes or ask questions; none of them moves text.
    if (/^[\d;:]*$/.test(parameters)) this.edit(parameters, final);
  }

  private setModes(parameters: string, isSet: boolean): void {
    if (ALTERNATE_SCREEN_MODES.test(parameters)) this.isAlternate = isSet;
    if (!CURSOR_MODE.test(parameters)) return;
    this.isCursorHidden = !isSet;
    this.hasDrawn = false;
  }

  private get line(): LineEditor {
    return this.isAlternate ? this.nowhere : this.mainLine;
  }

  /** The common case in one pass without garbage: only text and line ends, and the cursor at the end of its line. */
  private pushPlain(chunk: Buffer): boolean {
    if (!this.parser.isInText || !this.mainLine.isCursorAtEnd || this.isAlternate) return false;
    const length = copyPlain(chunk);
    if (length === undefined) return false;
    const text = plainText.subarray(0, length);
    const lines = text.lastIndexOf(NEWLINE) + 1;
    if (lines > 0) {
      this.mainLine.flush();
      this.options.sink(text.subarray(0, lines));
    }
    if (lines < length) this.mainLine.put(text.subarray(lines));
    return true;
  }

  private askIfQuery(sequence: string): void {
    if (isTerminalQuery(sequence)) this.options.onQuery?.(sequence);
  }

  private edit(parameters: string, final: string): void {
    const { line } = this;
    const [first = '', second = ''] = parameters.split(';');
    const count = countOf(first);
    switch (final) {
      case 'C':
        line.moveBy(count);
        break;
      case 'D':
        line.moveBy(-count);
        break;
      case 'G':
      case '`':
        line.moveTo(count - 1);
        break;
      case 'H':
      case 'f':
        this.hasDrawn = true;
        // Another place of the screen: what is written there is not part of this line.
        line.finishUnlessEmpty();
        line.moveTo(countOf(second) - 1);
        break;
      case 'A':
      case 'B':
      case 'd':
        line.finishUnlessEmpty();
        break;
      case 'E':
      case 'F':
        line.finishUnlessEmpty();
        line.moveTo(0);
        break;
      case 'J':
      case 'K':
        erase(line, first);
        break;
      case 'P':
        line.deleteCharacters(count);
        break;
      case '@':
        line.insertSpaces(count);
        break;
      case 'X':
        line.blank(count);
        break;
      default:
      // Colours, scrolling regions, reports: nothing that changes the text of this line.
    }
  }
}

/** Shared by all filters: what it holds is consumed within a call. */
let plainText: Buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * Copies a chunk with nothing but text, tabs and line ends as a terminal sends them to `plainText`, with `\n` for each line end.
 * Returns the length; `undefined` where the chunk has anything else.
 */
function copyPlain(chunk: Buffer): number | undefined {
  const end = chunk.length;
  if (end > plainText.length) plainText = Buffer.allocUnsafeSlow(end);
  // This loop sees every byte of every program: locals, and the common byte decided by its first comparison.
  const target = plainText;
  let length = 0;
  for (let index = 0; index < end; index++) {
    const byte = chunk[index] as number;
    // Control characters of Unicode's second block begin with 0xc2: the parser knows them.
    if (byte < SPACE || byte === DELETE || byte === SECOND_BLOCK) {
      if (byte === CARRIAGE_RETURN && chunk[index + 1] === NEWLINE) continue;
      if (byte !== NEWLINE && byte !== TAB) return undefined;
    }
    target[length++] = byte;
  }
  return length;
}

function erase(line: LineEditor, part: string): void {
  if (part === '' || part === '0') line.eraseToEnd();
  else if (part === '1') line.blankToCursor();
  else if (part === '2') line.eraseAll();
}

/** A count that is left out, 0 or no number means 1 (ECMA-48). */
function countOf(parameter: string): number {
  const count = Number(parameter);
  return count >= 1 ? count : 1;
}
