import { RulesError } from './rulesError';
import type { FormatPart, Token } from './token';

const OPENING = /(?<prefix>[rR]?[bB]?|[bB][rR]|[fF])(?<quote>"""|'''|"|')/y;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const NUMERIC_ESCAPE = /x(?<hex2>[0-9a-fA-F]{2})|u(?<hex4>[0-9a-fA-F]{4})|U(?<hex8>[0-9a-fA-F]{8})|(?<octal>[0-7]{1,3})/y;
const ORDINARY_RUN = /[^\\"'\n{}]+/y;
const NEEDS_DIGITS = /[xuU]/;

/** Whether a string literal of any sort begins at `start`. */
export function stringLiteralAt(text: string, start: number): boolean {
  OPENING.lastIndex = start;
  return OPENING.test(text);
}

/** Reads the string literal at `start`. Throws a `RulesError`. */
export function readStringLiteral(text: string, start: number): Token {
  return new StringReader(text, start).read();
}

class StringReader {
  private readonly parts: FormatPart[] = [];
  private readonly prefix: string;
  private readonly quote: string;
  private value = '';
  private at: number;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {
    OPENING.lastIndex = start;
    const { prefix = '', quote = '' } = OPENING.exec(text)?.groups ?? {};
    this.prefix = prefix.toLowerCase();
    this.quote = quote;
    this.at = start + prefix.length + quote.length;
  }

  read(): Token {
    while (!this.text.startsWith(this.quote, this.at)) this.character();
    this.at += this.quote.length;
    const span = { start: this.start, end: this.at };
    if (this.prefix === 'f') return { kind: 'format', parts: [...this.parts, this.value], span };
    return { kind: this.prefix.includes('b') ? 'bytes' : 'string', value: this.value, span };
  }

  private character(): void {
    const character = this.text.charAt(this.at);
    if (character === '' || (character === '\n' && this.quote.length === 1)) {
      throw new RulesError('parse', 'Parse error: unfinished string literal', { start: this.start, end: this.at });
    }
    if (character === '\\') this.escape();
    else if (this.prefix === 'f' && (character === '{' || character === '}')) this.brace(character);
    else this.addRun();
  }

  /** All up to what may mean something else: characters one by one would take most of the time of reading a file. */
  private addRun(): void {
    ORDINARY_RUN.lastIndex = this.at;
    const run = ORDINARY_RUN.exec(this.text)?.[0] ?? this.text.charAt(this.at);
    this.add(run, run.length);
  }

  private add(value: string, length: number): void {
    this.value += value;
    this.at += length;
  }

  private escape(): void {
    const next = this.text.charAt(this.at + 1);
    const simple = Object.hasOwn(SIMPLE_ESCAPES, next) ? SIMPLE_ESCAPES[next] : undefined;
    if (this.prefix.includes('r')) this.add(`\\${next}`, 2);
    else if (simple !== undefined) this.add(simple, 2);
    else if (this.text.startsWith('\r\n', this.at + 1)) this.add('', 3);
    else this.numericEscape(next);
  }

  private numericEscape(next: string): void {
    NUMERIC_ESCAPE.lastIndex = this.at + 1;
    const match = NUMERIC_ESCAPE.exec(this.text);
    const { hex2, hex4, hex8, octal } = match?.groups ?? {};
    const code = octal !== undefined ? parseInt(octal, 8) : parseInt(hex2 ?? hex4 ?? hex8 ?? '', 16);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (match !== null && isCharacter) this.add(String.fromCodePoint(code), match[0].length + 1);
    else if (match === null && !NEEDS_DIGITS.test(next)) this.add(`\\${next}`, 2);
    else {
      const span = { start: this.at, end: this.at + 1 + (match?.[0].length ?? 1) };
      throw new RulesError('parse', `Parse error: invalid string escape sequence \`${match?.[0] ?? next}\``, span);
    }
  }

  /** A brace of an f-string: doubled, it is itself; single, it opens an expression. */
  private brace(character: string): void {
    if (this.text[this.at + 1] === character) {
      this.add(character, 2);
      return;
    }
    const end = this.text.indexOf('}', this.at);
    const inside = this.text.slice(this.at + 1, end);
    const span = { start: this.at, end: this.at + 1 };
    if (character === '}' || end < 0 || /["'\n{]/.test(inside)) {
      throw new RulesError('parse', 'Parse error: invalid f-string', span);
    }
    const suffix = /!(?<how>[rs])$/.exec(inside);
    const expression = { start: this.at + 1, end: end - (suffix?.[0].length ?? 0) };
    this.parts.push(this.value, { expression, conversion: suffix?.groups?.['how'] === 'r' ? 'repr' : 'str' });
    this.value = '';
    this.at = end + 1;
  }
}
