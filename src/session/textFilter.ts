/**
 * Turns what a program sends to a terminal into the text that a reader would have seen, while it streams: escape sequences
 * go (also when a chunk ends inside one), carriage return, backspace and erase act on the current line, so that of a progress
 * bar its last frame remains. Does not model a screen: programs that address lines above the current one keep every frame.
 */
import { LineEditor } from './lineEditor';

const enum State {
  Text,
  Escape,
  /** After ESC and an intermediate such as `(`: one more byte follows. */
  EscapeIntermediate,
  Csi,
  /** Operating-system command, device control and other strings: until BEL or ESC \. */
  ControlString,
  ControlStringEscape,
}

const BACKSPACE = 0x08;
const TAB = 0x09;
const NEWLINE = 0x0a;
const VERTICAL_TAB = 0x0b;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const BELL = 0x07;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const DELETE = 0x7f;

/** Longer parameters than any real sequence has (a long colour list has about 40 bytes) are cut: they are garbage. */
const MAX_PARAMETER_BYTES = 64;

/** Private modes 47, 1047 and 1049 of xterm, alone or in a list. */
const ALTERNATE_SCREEN_MODES = /^\?(?:.*;)?(?:47|1047|1049)(?:;|$)/;

/** Anything but text, tabs and line ends as a terminal sends them. */
// eslint-disable-next-line no-control-regex
const NEEDS_INTERPRETING = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)/;

export class TextFilter {
  private state: State = State.Text;
  private parameters = '';
  private readonly line: LineEditor;
  private isAlternate = false;

  /** `sink` gets finished lines with `\n` as their end, and pieces of lines too long to be edited. The bytes are its to keep. */
  constructor(private readonly sink: (text: Buffer) => void) {
    this.line = new LineEditor(sink);
  }

  /** What stands on the current line so far. */
  get unfinishedLine(): Buffer {
    return this.line.content();
  }

  /** Whether the program has switched to the alternate screen, as full-screen programs do. */
  get isAlternateScreen(): boolean {
    return this.isAlternate;
  }

  push(chunk: Buffer): void {
    if (!this.pushPlain(chunk)) this.interpret(chunk);
  }

  /** The program has ended: its last line is finished although nothing ended it. */
  end(): void {
    this.line.flush();
  }

  /** The common case at the speed of native string search: only text and line ends, and the cursor at the end of its line. */
  private pushPlain(chunk: Buffer): boolean {
    if (this.state !== State.Text || !this.line.isCursorAtEnd) return false;
    const text = chunk.toString('latin1');
    if (NEEDS_INTERPRETING.test(text)) return false;
    const lastNewline = chunk.lastIndexOf(NEWLINE);
    if (lastNewline < 0) {
      this.line.put(chunk);
      return true;
    }
    this.line.flush();
    const lines = text.slice(0, lastNewline + 1);
    this.sink(Buffer.from(lines.includes('\r') ? lines.replaceAll('\r\n', '\n') : lines, 'latin1'));
    if (lastNewline + 1 < chunk.length) this.line.put(chunk.subarray(lastNewline + 1));
    return true;
  }

  private interpret(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (this.state !== State.Text) {
        this.continueSequence(byte);
      } else if (byte >= SPACE && byte !== DELETE) {
        const end = endOfText(chunk, index);
        this.line.put(chunk.subarray(index, end));
        index = end - 1;
      } else {
        this.control(byte);
      }
    }
  }

  private control(byte: number): void {
    switch (byte) {
      case ESCAPE:
        this.state = State.Escape;
        break;
      case NEWLINE:
      case VERTICAL_TAB:
      case FORM_FEED:
        this.line.finish();
        break;
      case CARRIAGE_RETURN:
        this.line.moveTo(0);
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

  private continueSequence(byte: number): void {
    if (byte === CANCEL || byte === SUBSTITUTE) {
      this.state = State.Text;
      return;
    }
    switch (this.state) {
      case State.Text:
        break;
      case State.Escape:
        this.state = this.afterEscape(byte);
        break;
      case State.EscapeIntermediate:
        this.state = State.Text;
        break;
      case State.Csi:
        this.continueCsi(byte);
        break;
      case State.ControlString:
        if (byte === BELL) this.state = State.Text;
        else if (byte === ESCAPE) this.state = State.ControlStringEscape;
        break;
      case State.ControlStringEscape:
        // Only a backslash ends the string; anything else begins a sequence of its own, as in xterm.
        this.state = byte === 0x5c ? State.Text : this.afterEscape(byte);
        break;
    }
  }

  private afterEscape(byte: number): State {
    switch (String.fromCharCode(byte)) {
      case '[':
        this.parameters = '';
        return State.Csi;
      case ']':
      case 'P':
      case 'X':
      case '^':
      case '_':
        return State.ControlString;
      case '\x1b':
        return State.Escape;
      case 'E':
        this.line.finish();
        return State.Text;
      default:
        return byte >= 0x20 && byte <= 0x2f ? State.EscapeIntermediate : State.Text;
    }
  }

  private continueCsi(byte: number): void {
    if (byte === ESCAPE) {
      this.state = State.Escape;
    } else if (byte < SPACE) {
      // Controls act at once, even inside a sequence.
      this.control(byte);
    } else if (byte < 0x40) {
      if (this.parameters.length < MAX_PARAMETER_BYTES) this.parameters += String.fromCharCode(byte);
    } else {
      this.state = State.Text;
      this.runCsi(String.fromCharCode(byte));
    }
  }

  private runCsi(final: string): void {
    if (ALTERNATE_SCREEN_MODES.test(this.parameters) && (final === 'h' || final === 'l')) this.isAlternate = final === 'h';
    // Private and intermediate forms (`?`, `>`, space, …) set modes or ask questions; none of them moves text.
    if (!/^[\d;:]*$/.test(this.parameters)) return;
    const [first = '', second = ''] = this.parameters.split(';');
    const count = countOf(first);
    switch (final) {
      case 'C':
        this.line.moveBy(count);
        break;
      case 'D':
        this.line.moveBy(-count);
        break;
      case 'G':
      case '`':
        this.line.moveTo(count - 1);
        break;
      case 'H':
      case 'f':
        // Another place of the screen: what is written there is not part of this line.
        this.line.finishUnlessEmpty();
        this.line.moveTo(countOf(second) - 1);
        break;
      case 'A':
      case 'B':
      case 'd':
        this.line.finishUnlessEmpty();
        break;
      case 'E':
      case 'F':
        this.line.finishUnlessEmpty();
        this.line.moveTo(0);
        break;
      case 'J':
      case 'K':
        this.erase(first);
        break;
      case 'P':
        this.line.deleteCharacters(count);
        break;
      case '@':
        this.line.insertSpaces(count);
        break;
      case 'X':
        this.line.blank(count);
        break;
      default:
      // Colours, scrolling regions, reports: nothing that changes the text of this line.
    }
  }

  private erase(part: string): void {
    if (part === '' || part === '0') this.line.eraseToEnd();
    else if (part === '1') this.line.blankToCursor();
    else if (part === '2') this.line.eraseAll();
  }
}

/** A count that is left out, 0 or no number means 1 (ECMA-48). */
function countOf(parameter: string): number {
  const count = Number(parameter);
  return count >= 1 ? count : 1;
}

function endOfText(chunk: Buffer, from: number): number {
  let index = from;
  while (index < chunk.length) {
    const byte = chunk[index] ?? 0;
    if (byte < SPACE || byte === DELETE) break;
    index++;
  }
  return index;
}
