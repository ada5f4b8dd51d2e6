import { MAX_NESTING } from './limits';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import { readStringLiteral, stringLiteralAt } from './stringLiteral';
import { KEYWORDS, RESERVED_WORDS, type Token } from './token';

const NUMBER =
  /0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SYMBOL = /\.\.\.|\*\*|\/\/=|<<=|>>=|\/\/|->|==|!=|<=|>=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|[-+*/%=<>()[\]{},:.;|&^~]/y;

/** The tokens of a file, the last of which is its end. Throws a `RulesError`. */
export function tokenize(text: string): Token[] {
  return new Lexer(text, { start: 0, end: text.length }).file();
}

/** The tokens of an expression within `text`, such as one in an f-string: line ends in it mean nothing. */
export function tokenizeExpression(text: string, span: Span): Token[] {
  return new Lexer(text, span).expression();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly indentations = [0];
  private at: number;
  /** Open brackets: line ends and indentation within them mean nothing. */
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly span: Span,
  ) {
    this.at = span.start;
  }

  file(): Token[] {
    let isStartOfLine = true;
    while (this.at < this.span.end) {
      if (isStartOfLine && this.depth === 0) {
        isStartOfLine = false;
        this.indentation();
      } else if (this.lineEnd()) {
        isStartOfLine = true;
      } else {
        this.blankOrToken();
      }
    }
    const last = this.tokens.at(-1);
    if (last !== undefined && last.kind !== 'newline') this.push('newline', this.at);
    for (const indentation of this.indentations) if (indentation > 0) this.push('dedent', this.at);
    this.push('end', this.at);
    return this.tokens;
  }

  expression(): Token[] {
    this.depth = 1;
    while (this.at < this.span.end) if (!this.lineEnd()) this.blankOrToken();
    this.push('end', this.at);
    return this.tokens;
  }

  /** Tells blocks by what a line begins with; lines without a token tell nothing. */
  private indentation(): void {
    const start = this.at;
    while (this.text[this.at] === ' ') this.at++;
    if (this.at >= this.span.end || /[#\r\n]/.test(this.text.charAt(this.at))) return;
    const width = this.at - start;
    if (width > (this.indentations.at(-1) ?? 0)) {
      if (this.indentations.length > MAX_NESTING) throw new RulesError('limit', 'blocks are nested too deep', this.here());
      this.indentations.push(width);
      this.push('indent', start);
    }
    while (width < (this.indentations.at(-1) ?? 0)) {
      this.indentations.pop();
      this.push('dedent', this.at);
    }
    if (width !== this.indentations.at(-1)) {
      throw new RulesError('parse', 'Parse error: incorrect indentation', { start, end: this.at });
    }
  }

  private lineEnd(): boolean {
    const length = this.text.startsWith('\r\n', this.at) ? 2 : this.text[this.at] === '\n' ? 1 : 0;
    if (length === 0) return false;
    const isOfStatement = this.depth === 0 && !['newline', undefined].includes(this.tokens.at(-1)?.kind);
    if (isOfStatement) this.tokens.push({ kind: 'newline', span: { start: this.at, end: this.at + length } });
    this.at += length;
    return true;
  }

  private blankOrToken(): void {
    const start = this.at;
    const character = this.text.charAt(start);
    if (character === ' ') this.at++;
    else if (character === '#') this.comment();
    else if (character === '\\' && /^\r?\n/.test(this.text.slice(start + 1, start + 3))) {
      this.at = this.text.indexOf('\n', start) + 1;
    } else if (character === '\t') throw new RulesError('parse', 'Parse error: tabs are not allowed', this.here());
    else if (stringLiteralAt(this.text, start)) this.stringLiteral();
    else if (!this.word() && !this.number() && !this.symbol()) {
      const shown = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
      throw new RulesError('parse', `Parse error: invalid input \`${shown}\``, this.here());
    }
  }

  private comment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.span.end : this.text[end - 1] === '\r' ? end - 1 : end;
  }

  private stringLiteral(): void {
    const token = readStringLiteral(this.text, this.at);
    this.tokens.push(token);
    this.at = token.span.end;
  }

  private number(): boolean {
    const start = this.at;
    const text = this.take(NUMBER);
    if (text === undefined) return false;
    const span = { start, end: this.at };
    if (/^0\d/.test(text))
      throw new RulesError('parse', `Parse error: integer cannot have leading 0, got \`${text}\``, span);
    if (text.length > MAX_NUMBER_LENGTH) throw new RulesError('limit', 'the number is too long', span);
    const isInteger = /^(?:\d+|0[a-z].*)$/i.test(text);
    this.tokens.push({ kind: 'number', value: isInteger ? BigInt(text) : Number(text), span });
    return true;
  }

  private word(): boolean {
    const start = this.at;
    const text = this.take(NAME);
    if (text === undefined) return false;
    const span = { start, end: this.at };
    if (RESERVED_WORDS.has(text)) {
      throw new RulesError('parse', `Parse error: cannot use reserved keyword \`${text}\``, span);
    }
    this.tokens.push({ kind: KEYWORDS.has(text) ? 'keyword' : 'name', text, span });
    return true;
  }

  private symbol(): boolean {
    const start = this.at;
    const text = this.take(SYMBOL);
    if (text === undefined) return false;
    if ('([{'.includes(text)) this.depth++;
    if (')]}'.includes(text)) this.depth = Math.max(0, this.depth - 1);
    this.tokens.push({ kind: 'symbol', text, span: { start, end: this.at } });
    return true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.text)?.[0];
    if (text === undefined || this.at + text.length > this.span.end) return undefined;
    this.at += text.length;
    return text;
  }

  private push(kind: 'newline' | 'indent' | 'dedent' | 'end', start: number): void {
    this.tokens.push({ kind, span: { start, end: this.at } });
  }

  private here(): Span {
    return { start: this.at, end: this.at + 1 };
  }
}

/** Digits of a number literal, as many as the largest number has. */
const MAX_NUMBER_LENGTH = 300;
