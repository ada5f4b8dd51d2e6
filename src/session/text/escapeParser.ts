/**
 * Splits terminal output into text, control characters and escape sequences; a chunk may end anywhere inside of one. The control
 * characters of Unicode's second block (U+0080 to U+009F) stand for ESC and another character, as in every terminal for UTF-8.
 */

export interface EscapeHandler {
  /** Bytes of UTF-8 text, not necessarily whole characters. Valid only during the call. */
  text(bytes: Buffer): void;
  /** A control character below 0x20, except those that belong to sequences. */
  control(byte: number): void;
  /** `ESC [ parameters final`; private markers and intermediates are part of the parameters. */
  csi(parameters: string, final: string): void;
  /** `ESC final`, without intermediates. */
  escape(final: string): void;
  /** `ESC ] content`, cut to {@link MAX_STRING_BYTES}. */
  osc(content: string): void;
}

const enum State {
  Text,
  Escape,
  /** After ESC and an intermediate such as `(`: one more byte follows. */
  EscapeIntermediate,
  Csi,
  /** Until BEL or ESC \. */
  Osc,
  OscEscape,
  /** Device control and other strings, which nobody here reads: until ESC \, or BEL as many programs end them. */
  String,
  StringEscape,
  /** After the first byte of a character that may be a control character of the second block. */
  SecondBlock,
}

const BELL = 0x07;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;
/** The first byte of U+0080 to U+00BF in UTF-8; the second is the character itself. */
const SECOND_BLOCK = 0xc2;
const FIRST_CONTROL = 0x80;
const LAST_CONTROL = 0x9f;
/** U+009C, which ends strings. */
const STRING_TERMINATOR = 0x9c;
/** From a control character of the second block to the character that stands for it after ESC. */
const ESCAPE_DISTANCE = 0x40;
const FIRST_FINAL = 0x40;

/** Longer parameters than any real sequence has (a long colour list has about 40 bytes) are cut: they are garbage. */
const MAX_PARAMETER_BYTES = 64;
/** Enough for every question that a program asks in a string; titles and clipboards may be longer and are of no interest. */
export const MAX_STRING_BYTES = 64;

export class EscapeParser {
  private state: State = State.Text;
  private collected = '';
  private previous = 0;

  constructor(private readonly handler: EscapeHandler) {}

  /** Whether the next byte belongs to no sequence. */
  get isInText(): boolean {
    return this.state === State.Text;
  }

  push(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (this.state !== State.Text) {
        this.continueSequence(byte);
      } else if (byte === ESCAPE) {
        this.state = State.Escape;
      } else if (byte === SECOND_BLOCK) {
        this.state = State.SecondBlock;
      } else if (isText(byte)) {
        const end = endOfText(chunk, index);
        this.handler.text(chunk.subarray(index, end));
        index = end - 1;
      } else if (byte !== DELETE) {
        this.handler.control(byte);
      }
    }
  }

  private continueSequence(byte: number): void {
    const { previous } = this;
    this.previous = byte;
    if (byte === CANCEL || byte === SUBSTITUTE) {
      this.state = State.Text;
      return;
    }
    switch (this.state) {
      case State.Text:
        break;
      case State.Escape:
        this.afterEscape(byte);
        break;
      case State.EscapeIntermediate:
        this.state = State.Text;
        break;
      case State.Csi:
        this.continueCsi(byte);
        break;
      case State.SecondBlock:
        this.afterSecondBlock(byte);
        break;
      case State.Osc:
        this.continueOsc(byte, previous);
        break;
      case State.OscEscape:
        this.handler.osc(this.collected);
        this.endString(byte);
        break;
      case State.String:
        if (byte === BELL || isTerminator(previous, byte)) this.state = State.Text;
        else if (byte === ESCAPE) this.state = State.StringEscape;
        break;
      case State.StringEscape:
        this.endString(byte);
        break;
    }
  }

  private continueCsi(byte: number): void {
    if (byte === ESCAPE) {
      this.state = State.Escape;
    } else if (byte < SPACE) {
      // Controls act at once, even inside a sequence.
      this.handler.control(byte);
    } else if (byte < FIRST_FINAL) {
      if (this.collected.length < MAX_PARAMETER_BYTES) this.collected += String.fromCharCode(byte);
    } else {
      this.state = State.Text;
      this.handler.csi(this.collected, String.fromCharCode(byte));
    }
  }

  private continueOsc(byte: number, previous: number): void {
    if (byte === BELL || isTerminator(previous, byte)) {
      this.state = State.Text;
      this.handler.osc(byte === BELL ? this.collected : this.collected.slice(0, -1));
    } else if (byte === ESCAPE) {
      this.state = State.OscEscape;
    } else if (this.collected.length < MAX_STRING_BYTES) {
      this.collected += String.fromCharCode(byte);
    }
  }

  /** Only a backslash is part of the end; anything else begins a sequence of its own, as in xterm. */
  private endString(byte: number): void {
    if (byte === BACKSLASH) this.state = State.Text;
    else this.afterEscape(byte);
  }

  private afterSecondBlock(byte: number): void {
    if (byte >= FIRST_CONTROL && byte <= LAST_CONTROL) {
      this.afterEscape(byte - ESCAPE_DISTANCE);
    } else {
      this.state = State.Text;
      this.handler.text(Buffer.from([SECOND_BLOCK]));
      // The rest of a character, or, after a broken one, anything.
      this.push(Buffer.from([byte]));
    }
  }

  private afterEscape(byte: number): void {
    const final = String.fromCharCode(byte);
    this.collected = '';
    if (byte === ESCAPE) this.state = State.Escape;
    else if (final === '[') this.state = State.Csi;
    else if (final === ']') this.state = State.Osc;
    else if ('PX^_'.includes(final)) this.state = State.String;
    else if (byte >= SPACE && byte < 0x30) this.state = State.EscapeIntermediate;
    else {
      this.state = State.Text;
      this.handler.escape(final);
    }
  }
}

function isTerminator(previous: number, byte: number): boolean {
  return byte === STRING_TERMINATOR && previous === SECOND_BLOCK;
}

function isText(byte: number): boolean {
  return byte >= SPACE && byte !== DELETE && byte !== SECOND_BLOCK;
}

function endOfText(chunk: Buffer, from: number): number {
  let index = from;
  while (index < chunk.length && isText(chunk[index] ?? 0)) index++;
  return index;
}
