import type { ReadableText } from './text/textReader';

/** Lines that are remembered for agents that ask late; of older ones only the bytes are counted. */
const MAX_LINES = 100;
/** A longer line is a pasted text: it is in the output, and nobody needs it twice. */
const MAX_LINE_CHARS = 500;
/** How much output after a line was begun is searched for it: programs show what is typed at once. */
const SEARCHED_BYTES = 64 * 1_024;

const NO_BYTES = Buffer.alloc(0);

/** What a terminal puts around a pasted text. */
const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const ENTER: readonly string[] = ['\r', '\n'];
const ERASE: readonly string[] = ['\b', '\u007f'];
/** Ctrl-U and Ctrl-C: the line is begun anew. */
const KILL_LINE: readonly string[] = ['\u0003', '\u0015'];
const CONTROL = /^\p{Cc}$/u;

interface TypedLine {
  readonly text: string;
  /** Offset in the clean text after which it was typed. */
  readonly outputPosition: number;
}

/** How much the user had typed at some moment. */
export interface TypingMark {
  readonly bytes: number;
  readonly hiddenInputs: number;
  readonly lines: number;
}

/** What the user has typed since some moment. */
export interface TypedByUser {
  /** Without those of hidden input, whose length is nobody's business. */
  readonly bytes: number;
  /** Whether something was typed that the terminal does not show, such as a password. */
  readonly hasHidden: boolean;
  /** Finished lines that the output shows as they were typed: who reads the output learns only whose they are. */
  readonly lines: readonly string[];
}

export const NOTHING_TYPED: TypingMark = { bytes: 0, hiddenInputs: 0, lines: 0 };

/**
 * What the user typed into a session. Nothing is kept of hidden input. Whether other lines were seen is decided by the output: a
 * program may read a password key by key and draw stars, and no terminal can tell that from a shell that draws a command.
 */
export class UserTyping {
  private bytes = 0;
  private hiddenInputs = 0;
  /** Finished lines, also forgotten ones. */
  private lineCount = 0;
  private lines: TypedLine[] = [];
  private text = '';
  private outputPosition: number | undefined;
  /** Whether the line that is being typed is more than its text: edited, completed, or hidden. */
  private isUntold = false;

  constructor(private readonly transcript: ReadableText) {}

  get mark(): TypingMark {
    return { bytes: this.bytes, hiddenInputs: this.hiddenInputs, lines: this.lineCount };
  }

  note(typed: Buffer, isHidden: boolean): void {
    if (isHidden) {
      this.hiddenInputs++;
      this.beginLine();
      this.isUntold = !endsLine(typed);
      return;
    }
    this.bytes += typed.length;
    const text = typed.toString('utf8').replaceAll(PASTE_BEGIN, '').replaceAll(PASTE_END, '');
    for (const character of text) this.noteCharacter(character);
  }

  since(mark: TypingMark): TypedByUser {
    const wanted = this.lineCount - mark.lines;
    return {
      bytes: this.bytes - mark.bytes,
      hasHidden: this.hiddenInputs > mark.hiddenInputs,
      lines: wanted === 0 ? [] : this.shownAmong(this.lines.slice(-wanted)),
    };
  }

  private noteCharacter(character: string): void {
    this.outputPosition ??= this.transcript.log.totalBytes;
    if (ENTER.includes(character)) this.finishLine();
    else if (KILL_LINE.includes(character)) this.beginLine();
    else if (ERASE.includes(character)) this.text = Array.from(this.text).slice(0, -1).join('');
    else if (CONTROL.test(character) || this.text.length >= MAX_LINE_CHARS) this.isUntold = true;
    else this.text += character;
  }

  private finishLine(): void {
    const text = this.text.trim();
    if (!this.isUntold && text !== '') {
      this.lines = [...this.lines, { text, outputPosition: this.outputPosition ?? 0 }].slice(-MAX_LINES);
      this.lineCount++;
    }
    this.beginLine();
  }

  private beginLine(): void {
    this.text = '';
    this.outputPosition = undefined;
    this.isUntold = false;
  }

  private shownAmong(lines: readonly TypedLine[]): string[] {
    const { log, unfinishedLine } = this.transcript;
    const spans = log.spans(lines[0]?.outputPosition ?? 0);
    const isShown = ({ text, outputPosition }: TypedLine): boolean => {
      const span = spans.find(({ start, bytes }) => start + bytes.length > outputPosition);
      const from = Math.max(0, outputPosition - (span?.start ?? 0));
      const finished = span?.bytes.subarray(from, from + SEARCHED_BYTES) ?? NO_BYTES;
      const output = Buffer.concat([finished, unfinishedLine.subarray(0, SEARCHED_BYTES)]).toString('utf8');
      return output.split('\n').some((line) => line.trimEnd().endsWith(text));
    };
    return lines.filter(isShown).map(({ text }) => text);
  }
}

function endsLine(typed: Buffer): boolean {
  return ENTER.includes(typed.toString('latin1').slice(-1));
}
