import { MAX_NESTING } from './limits';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import { describeToken, type Token } from './token';

/** The tokens of a text, taken one after the other by the parser. The last one, the end, is never passed. */
export class TokenStream {
  private position = 0;
  private depth = 0;

  constructor(
    /** Whole, for the expressions in f-strings. */
    readonly text: string,
    private readonly tokens: readonly Token[],
  ) {}

  get next(): Token {
    return this.tokenAt(this.position);
  }

  get afterNext(): Token {
    return this.tokenAt(this.position + 1);
  }

  take(): Token {
    const token = this.next;
    this.position++;
    return token;
  }

  /** Whether the next token is one of these keywords or symbols. */
  isAt(...texts: readonly string[]): boolean {
    const { next } = this;
    return (next.kind === 'keyword' || next.kind === 'symbol') && texts.includes(next.text);
  }

  isAtKind(...kinds: readonly Token['kind'][]): boolean {
    return kinds.includes(this.next.kind);
  }

  accept(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.position++;
    return true;
  }

  expect(text: string): Token {
    if (this.isAt(text)) return this.take();
    return this.unexpected(`symbol '${text}'`);
  }

  expectName(): { readonly name: string; readonly span: Span } {
    const token = this.take();
    if (token.kind === 'name') return { name: token.text, span: token.span };
    this.position--;
    return this.unexpected('identifier');
  }

  unexpected(expected: string): never {
    const { next } = this;
    throw new RulesError('parse', `Parse error: unexpected ${describeToken(next)}, expected ${expected}`, next.span);
  }

  /** From `start` to the end of the token that was taken last. */
  spanFrom(start: Span): Span {
    return { start: start.start, end: this.tokenAt(this.position - 1).span.end };
  }

  /** Parses what may hold more of the same. */
  nested<T>(parse: () => T): T {
    this.depth++;
    this.checkLength(this.depth);
    const parsed = parse();
    this.depth--;
    return parsed;
  }

  /** For what becomes as deep as it is long, such as sums. */
  checkLength(length: number): void {
    if (length > MAX_NESTING) throw new RulesError('limit', `more than ${MAX_NESTING} levels of nesting`, this.next.span);
  }

  private tokenAt(position: number): Token {
    const token = this.tokens[Math.min(position, this.tokens.length - 1)];
    if (token === undefined) throw new Error('a list of tokens has an end');
    return token;
  }
}
