import type { Span } from './sourceText';

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '|'
  | '^'
  | '&'
  | '<<'
  | '>>'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | 'not in';

export type Expression = { readonly span: Span } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: null | bigint | number | string }
  | { readonly kind: 'bytes'; readonly value: string }
  | { readonly kind: 'format'; readonly parts: readonly FormatPiece[] }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly DictEntry[] }
  | { readonly kind: 'listComprehension'; readonly element: Expression; readonly clauses: readonly Clause[] }
  | { readonly kind: 'dictComprehension'; readonly entry: DictEntry; readonly clauses: readonly Clause[] }
  | { readonly kind: 'lambda'; readonly definition: Definition }
  | { readonly kind: 'conditional'; readonly test: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-' | '+' | '~'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Argument[] }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
  | { readonly kind: 'slice'; readonly object: Expression; readonly bounds: readonly (Expression | undefined)[] }
);

export type FormatPiece = string | { readonly expression: Expression; readonly conversion: 'repr' | 'str' };

export interface DictEntry {
  readonly key: Expression;
  readonly value: Expression;
}

/** What follows the element of a comprehension. */
export type Clause =
  | { readonly kind: 'for'; readonly target: Expression; readonly iterable: Expression }
  | { readonly kind: 'if'; readonly test: Expression };

export interface Argument {
  readonly kind: 'positional' | 'named' | 'positionals' | 'nameds';
  /** Of a named one. */
  readonly name?: string;
  readonly value: Expression;
}

export interface Parameter {
  /** `gap` is the lone `*`, after which arguments must be named. */
  readonly kind: 'plain' | 'positionals' | 'nameds' | 'gap';
  readonly name: string;
  readonly type: Expression | undefined;
  readonly defaultValue: Expression | undefined;
  readonly span: Span;
}

/** A function: what `def` and `lambda` make. */
export interface Definition {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returnType: Expression | undefined;
  readonly body: readonly Statement[];
}

export type Statement = { readonly span: Span } & (
  | { readonly kind: 'pass' | 'break' | 'continue' }
  | { readonly kind: 'return'; readonly value: Expression | undefined }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | {
      readonly kind: 'assign';
      readonly target: Expression;
      readonly type: Expression | undefined;
      readonly value: Expression;
    }
  | { readonly kind: 'update'; readonly target: Expression; readonly operator: BinaryOperator; readonly value: Expression }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | {
      readonly kind: 'for';
      readonly target: Expression;
      readonly iterable: Expression;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'def'; readonly definition: Definition }
);

export interface Branch {
  readonly test: Expression;
  readonly body: readonly Statement[];
}
