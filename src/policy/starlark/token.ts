import type { Span } from './sourceText';

/** A piece of an f-string: text, or where the expression between braces stands and how its value is put into words. */
export type FormatPart = string | { readonly expression: Span; readonly conversion: 'repr' | 'str' };

export type Token = { readonly span: Span } & (
  | { readonly kind: 'newline' | 'indent' | 'dedent' | 'end' }
  | { readonly kind: 'name' | 'keyword' | 'symbol'; readonly text: string }
  | { readonly kind: 'string' | 'bytes'; readonly value: string }
  | { readonly kind: 'format'; readonly parts: readonly FormatPart[] }
  | { readonly kind: 'number'; readonly value: bigint | number }
);

/** The token in words, for a sentence that begins with `unexpected`. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'newline':
      return 'new line';
    case 'indent':
      return 'new indentation block';
    case 'dedent':
      return 'end of indentation block';
    case 'end':
      return 'end of file';
    case 'name':
      return `identifier '${token.text}'`;
    case 'keyword':
      return `keyword '${token.text}'`;
    case 'symbol':
      return `symbol '${token.text}'`;
    case 'string':
      return `string literal ${JSON.stringify(token.value)}`;
    case 'bytes':
      return `bytes literal ${JSON.stringify(token.value)}`;
    case 'format':
      return 'f-string literal';
    case 'number':
      return `${typeof token.value === 'bigint' ? 'integer' : 'float'} literal '${token.value}'`;
  }
}

export const KEYWORDS: ReadonlySet<string> = new Set([
  'and',
  'break',
  'continue',
  'def',
  'elif',
  'else',
  'for',
  'if',
  'in',
  'lambda',
  'load',
  'not',
  'or',
  'pass',
  'return',
]);

/** Words of Python that Starlark keeps free. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'assert',
  'async',
  'await',
  'class',
  'del',
  'except',
  'finally',
  'from',
  'global',
  'import',
  'is',
  'nonlocal',
  'raise',
  'try',
  'while',
  'with',
  'yield',
]);
