import { METACHARACTERS, ORDINARY } from './characters';
import type { Word } from './commandLine';
import type { Dialect } from './dialect';

/** What a word needs of the line that it is in. */
export interface WordContext {
  readonly dialect: Dialect;
  readonly note: (what: string, start: number, end?: number) => void;
  /** Reads the commands after `$(` from there, and gives the place after the closing bracket. */
  readonly substitution: (start: number) => number;
  /** Reads the commands between backticks. */
  readonly script: (text: string) => void;
}

/** Reads one word: what a program gets for it, if that can be told, and where it ends. */
export class WordScanner {
  private value = '';
  private isKnown = true;
  private isBare = true;
  private at: number;

  constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly context: WordContext,
  ) {
    this.at = start;
  }

  read(): Word {
    while (this.at < this.text.length && !METACHARACTERS.includes(this.text.charAt(this.at))) this.piece();
    return {
      text: this.isKnown ? this.value : undefined,
      isBare: this.isBare,
      span: { start: this.start, end: this.at },
    };
  }

  private piece(): void {
    const character = this.text.charAt(this.at);
    if (character === "'") this.singleQuoted();
    else if (character === '"') this.doubleQuoted();
    else if (character === '\\') this.escaped();
    else if (character === '$') this.expansion();
    else if (character === '`') this.backticks();
    else this.bare(character);
  }

  private bare(character: string): void {
    const { dialect, note } = this.context;
    const isFirst = this.value === '' && this.isBare;
    const isOrdinary = ORDINARY[dialect].test(character) && !(isFirst && '=%'.includes(character));
    // With an option of zsh, `=ls` stands for the path of ls also after a `=` or `:`.
    if (dialect === 'zsh' && character === '=' && /[=:]$/.test(this.value)) note('an `=` that may be expanded', this.at);
    // `HEAD~1` is itself; a home folder comes only first, or after what looks like a list or an assignment.
    const isInnerTilde = character === '~' && dialect === 'posix' && !isFirst && !/[:=]/.test(this.value);
    const isInnerHash = character === '#' && dialect === 'posix' && !isFirst;
    if (!isOrdinary && !isInnerTilde && !isInnerHash) {
      note(`an unquoted ${JSON.stringify(character)}`, this.at);
      if ('*?[{~'.includes(character)) this.isKnown = false;
    }
    this.value += character;
    this.at++;
  }

  private escaped(): void {
    const next = this.text[this.at + 1];
    if (next === undefined) this.context.note('a backslash at its end', this.at);
    if (this.context.dialect === 'fish' || this.context.dialect === 'other') this.context.note('a backslash', this.at);
    // A continued line leaves nothing behind.
    if (next !== '\n') {
      this.isBare = false;
      this.value += next ?? '\\';
    }
    this.at += 2;
    if (this.at > this.text.length) this.at = this.text.length;
  }

  private singleQuoted(): void {
    this.isBare = false;
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) this.context.note('an unclosed quote', this.at, this.text.length);
    const inside = this.text.slice(this.at + 1, end < 0 ? this.text.length : end);
    const meansItself = this.context.dialect !== 'fish' && this.context.dialect !== 'other';
    if (!meansItself && inside.includes('\\')) this.context.note('a backslash', this.at);
    this.value += inside;
    this.at = end < 0 ? this.text.length : end + 1;
    // With an option of zsh, two quotes in a row are one that belongs to the text.
    if (this.context.dialect === 'zsh' && this.text[this.at] === "'") this.context.note('a doubled quote', this.at);
  }

  private doubleQuoted(): void {
    const start = this.at;
    this.isBare = false;
    this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.quotedPiece();
    if (this.at >= this.text.length) this.context.note('an unclosed quote', start, this.text.length);
    this.at = Math.min(this.at + 1, this.text.length);
  }

  private quotedPiece(): void {
    const character = this.text.charAt(this.at);
    const next = this.text.charAt(this.at + 1);
    if (character === '$') this.expansion();
    else if (character === '`') this.backticks();
    else if (character === '\\') {
      const { dialect, note } = this.context;
      if (dialect === 'fish' || dialect === 'other') note('a backslash', this.at);
      this.value += next === '\n' ? '' : '$`"\\'.includes(next) ? next : `\\${next}`;
      this.at += 2;
    } else {
      // At a prompt, what follows is looked up in the history.
      if (character === '!' && !/[ \n"]/.test(next)) this.context.note('a `!` in double quotes', this.at);
      this.value += character;
      this.at++;
    }
  }

  private expansion(): void {
    const { note, substitution } = this.context;
    const start = this.at;
    this.isKnown = false;
    this.isBare = false;
    if (this.text.startsWith('$(', start)) {
      note('a command substitution', start);
      this.at = substitution(start + 2);
    } else {
      note('an expansion', start);
      this.at++;
      // The rest is read on as if it were bare, so that substitutions in it are found.
      if (this.text[this.at] === "'") this.skipAnsiQuoted();
    }
  }

  private skipAnsiQuoted(): void {
    this.at++;
    while (this.at < this.text.length && this.text[this.at] !== "'") this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at = Math.min(this.at + 1, this.text.length);
  }

  private backticks(): void {
    const start = this.at;
    this.isKnown = false;
    this.isBare = false;
    this.context.note('a command substitution', start);
    let inside = '';
    this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '`') {
      const isEscape = this.text[this.at] === '\\' && '`\\$'.includes(this.text.charAt(this.at + 1));
      if (isEscape) this.at++;
      inside += this.text.charAt(this.at);
      this.at++;
    }
    this.at = Math.min(this.at + 1, this.text.length);
    this.context.script(inside);
  }
}
