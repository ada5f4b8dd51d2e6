import { ASSIGNMENT, isUnprintable, KEYWORDS, KEYWORDS_WITH_WORDS, METACHARACTERS, PLAIN_PROGRAM } from './characters';
import type { FoundCommand, Obstacle, SplitLine, Word } from './commandLine';
import type { Dialect } from './dialect';
import { WordScanner } from './wordScanner';

/** Command substitutions and groups in one another. */
const MAX_NESTING = 32;

interface HereDocument {
  readonly delimiter: string | undefined;
  readonly isIndented: boolean;
}

/**
 * Takes a line apart. Whatever is not plain is noted as an obstacle, and what follows is read on as well as it can be: so that
 * commands in it are found that a rule forbids, which is all that they are good for then.
 */
export class LineScanner {
  private readonly commands: FoundCommand[] = [];
  private readonly obstacles: Obstacle[] = [];
  private readonly hereDocuments: HereDocument[] = [];
  private words: Word[] = [];
  /** What has to be followed by a command, and has not been yet. */
  private pending: string | undefined;
  private hasParts = false;
  private nesting = 0;
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly dialect: Dialect,
    private readonly depth = 0,
  ) {}

  scan(): SplitLine {
    if (this.depth > MAX_NESTING) this.note('too much nesting', 0, this.text.length);
    else {
      if (isUnprintable(this.text)) this.note('a control character', 0, this.text.length);
      this.scanUntil(undefined);
    }
    return { commands: this.commands, obstacles: this.obstacles };
  }

  /** Reads commands up to the bracket that closes them, or to the end. */
  private scanUntil(closing: ')' | undefined): void {
    const outer = this.words;
    this.words = [];
    this.hasParts = false;
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (character === ')') {
        if (closing !== undefined) break;
        this.note('an unmatched bracket', this.at);
        this.endCommand();
        this.at++;
      } else this.token(character);
    }
    this.endCommand();
    if (this.pending !== undefined) this.note(`a ${this.pending} without a command after it`, this.at);
    this.pending = undefined;
    if (closing !== undefined) {
      if (this.at >= this.text.length) this.note('an unmatched bracket', this.at);
      this.at++;
    }
    this.words = outer;
    this.hasParts = true;
  }

  private token(character: string): void {
    if (character === ' ' || character === '\t') this.at++;
    else if (character === '\n') this.newline();
    else if (this.text.startsWith('\\\n', this.at)) this.continuation();
    else if (character === '#') this.comment();
    else if (character === ';' || character === '&' || character === '|') this.separator();
    else if (character === '(') this.group();
    else if (character === '<' || character === '>') this.redirection();
    else this.word();
  }

  private newline(): void {
    this.at++;
    this.endCommand();
    for (const { delimiter, isIndented } of this.hereDocuments.splice(0)) {
      while (this.at < this.text.length) {
        const end = this.text.indexOf('\n', this.at);
        const line = this.text.slice(this.at, end < 0 ? this.text.length : end);
        this.at = end < 0 ? this.text.length : end + 1;
        if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) break;
      }
    }
  }

  private continuation(): void {
    this.at += 2;
    // Shells differ on whether a comment can begin here.
    if (this.text[this.at] === '#') this.note('a comment after a continued line', this.at);
  }

  private comment(): void {
    const start = this.at;
    const end = this.text.indexOf('\n', start);
    this.at = end < 0 ? this.text.length : end;
    if (this.dialect !== 'posix') this.note('a comment', start, this.at);
  }

  private separator(): void {
    const [operator = ''] = /^(?:&&|\|\||;;&?|;&|\|&|&>>?|[;&|])/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    if (operator.startsWith('&>')) {
      this.note('a redirection', this.at, this.at + operator.length);
      this.at += operator.length;
      this.skipTarget();
      return;
    }
    if (!['&&', '||', ';', '&', '|'].includes(operator)) this.note(`\`${operator}\``, this.at, this.at + operator.length);
    // Without blanks around it, fish takes it for a part of the word.
    const isApart = /\s/.test(this.text.charAt(this.at - 1)) && /^\s?$/.test(this.text.charAt(this.at + 1));
    if (operator === '&' && this.dialect === 'fish' && !isApart) this.note('an `&` without blanks', this.at);
    if (!this.endCommand()) this.note(`a \`${operator}\` without a command before it`, this.at);
    this.at += operator.length;
    if (operator !== ';' && operator !== '&') this.pending = `\`${operator}\``;
  }

  private group(): void {
    this.note('a group in brackets', this.at);
    this.endCommand();
    this.at++;
    this.pending = undefined;
    this.nest(() => this.scanUntil(')'));
  }

  private redirection(): void {
    const start = this.at;
    const [operator = ''] = /^(?:<<<|<<-?|<>|<&|>>|>\||>&|<|>)/.exec(this.text.slice(start, start + 3)) ?? [];
    this.at += operator.length;
    if (this.text[this.at] === '(') {
      this.note('a process substitution', start);
      this.at++;
      this.nest(() => this.scanUntil(')'));
      this.words.push({ text: undefined, isBare: false, span: { start, end: this.at } });
      return;
    }
    const target = this.skipTarget();
    if (operator === '<<' || operator === '<<-') {
      this.hereDocuments.push({ delimiter: target?.text, isIndented: operator === '<<-' });
    }
    const isToNull = ['<', '>', '>>'].includes(operator) && target?.text === '/dev/null';
    const isToStream = operator === '>&' && /^[12]$/.test(target?.text ?? '');
    if (!isToNull && !isToStream) {
      this.note(operator.startsWith('<<') ? 'a here-document' : 'a redirection', start, this.at);
    }
    // What stands alone is not run: it makes, empties or opens a file.
    this.hasParts = true;
  }

  private skipTarget(): Word | undefined {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++;
    const isWord = this.at < this.text.length && !METACHARACTERS.includes(this.text.charAt(this.at));
    if (isWord) return this.readWord();
    this.note('a redirection without a target', this.at);
    return undefined;
  }

  private word(): void {
    const start = this.at;
    const isNegation = this.words.length === 0 && /^![ \t]/.test(this.text.slice(start, start + 2));
    if (isNegation) {
      this.at++;
      if (this.pending !== undefined) this.note('a `!` after another operator', start);
      this.pending = '`!`';
      return;
    }
    const word = this.readWord();
    const isNumber = word.isBare && /^\d+$/.test(word.text ?? '');
    if (isNumber && /[<>]/.test(this.text.charAt(this.at))) {
      // Some shells take only one digit for a descriptor, and the rest for a word.
      if (word.text?.length !== 1) this.note('a descriptor of several digits', start, this.at);
      return;
    }
    this.pending = undefined;
    const isFirst = this.words.every(({ isBare, text }) => isBare && text === 'time');
    if (isFirst) this.firstWord(word);
    else this.words.push(word);
  }

  /** What a command begins with, also after `time`: an assignment, a word of the shell's language, or a program. */
  private firstWord(word: Word): void {
    const { text, span } = word;
    this.hasParts = true;
    if (this.isAssignment(span)) this.note('an assignment', span.start, span.end);
    else if (word.isBare && text !== undefined && KEYWORDS.has(text)) {
      this.note(`\`${text}\``, span.start, span.end);
      if (KEYWORDS_WITH_WORDS.has(text)) this.words.push({ ...word, text: undefined });
    } else {
      if (text !== undefined && !PLAIN_PROGRAM.test(text)) {
        this.note('a program whose name is not plain text', span.start, span.end);
      }
      this.words.push(word);
    }
  }

  /** A line that is continued within the name changes nothing; a quote makes it a program. */
  private isAssignment({ start, end }: Word['span']): boolean {
    return ASSIGNMENT.test(this.text.slice(start, end).replaceAll('\\\n', ''));
  }

  private readWord(): Word {
    const scanner = new WordScanner(this.text, this.at, {
      dialect: this.dialect,
      note: (what, start, end) => this.note(what, start, end),
      substitution: (start) => {
        this.at = start;
        this.nest(() => this.scanUntil(')'));
        return this.at;
      },
      script: (text) => this.nestedScript(text),
    });
    const word = scanner.read();
    this.at = word.span.end;
    return word;
  }

  /** Scripts whose text is not that of the line, because backslashes were taken out of it. */
  private nestedScript(text: string): void {
    const { commands, obstacles } = new LineScanner(text, this.dialect, this.depth + 1).scan();
    this.commands.push(...commands);
    for (const { what } of obstacles) this.note(what, this.at);
  }

  private nest(scan: () => void): void {
    const { pending } = this;
    this.nesting++;
    if (this.nesting + this.depth > MAX_NESTING) {
      this.note('too much nesting', this.at, this.text.length);
      this.at = this.text.length;
    } else scan();
    this.nesting--;
    this.pending = pending;
  }

  /** Whether there was one, be it only an assignment. */
  private endCommand(): boolean {
    const had = this.hasParts;
    if (this.words.length > 0) this.commands.push({ words: this.words });
    this.words = [];
    this.hasParts = false;
    return had;
  }

  private note(what: string, start: number, end = start + 1): void {
    this.obstacles.push({ what, span: { start, end } });
  }
}
