import { tokenizeExpression } from './lexer';
import { parseArguments, parseParameters } from './parameterParser';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import type { BinaryOperator, Clause, DictEntry, Expression, FormatPiece } from './syntaxTree';
import type { FormatPart } from './token';
import { TokenStream } from './tokenStream';

/** How tightly operators bind. Comparisons, which are looser, stand apart because they do not chain. */
const OPERATOR_LEVELS: ReadonlyMap<string, number> = new Map(
  [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']].flatMap((operators, level) =>
    operators.map((operator) => [operator, level]),
  ),
);
const COMPARISONS: readonly BinaryOperator[] = ['==', '!=', '<', '>', '<=', '>=', 'in'];
const ENDS_OF_LIST = [')', ']', '}', '=', ';', ':'];

/** An expression, or several with commas between them, which make a tuple. */
export function parseExpressionList(stream: TokenStream): Expression {
  const start = stream.next.span;
  const first = parseExpression(stream);
  if (!stream.isAt(',')) return first;
  const items = [first];
  while (stream.accept(',')) {
    if (stream.isAt(...ENDS_OF_LIST) || stream.isAtKind('newline', 'end')) break;
    items.push(parseExpression(stream));
  }
  return { kind: 'tuple', items, span: stream.spanFrom(start) };
}

export function parseExpression(stream: TokenStream): Expression {
  return stream.nested(() => (stream.isAt('lambda') ? lambda(stream) : conditional(stream)));
}

/** What a loop binds: names, elements, and tuples of them. */
export function parseLoopTarget(stream: TokenStream): Expression {
  const start = stream.next.span;
  const items = [primary(stream)];
  while (stream.accept(',')) {
    if (stream.isAt('in')) break;
    items.push(primary(stream));
  }
  const [first] = items;
  if (items.length === 1 && first !== undefined) return checkTarget(first);
  return checkTarget({ kind: 'tuple', items, span: stream.spanFrom(start) });
}

/** Lets through what can be assigned to. */
export function checkTarget(target: Expression): Expression {
  if (target.kind === 'tuple' || target.kind === 'list') target.items.forEach(checkTarget);
  else if (target.kind !== 'name' && target.kind !== 'index') {
    throw new RulesError('parse', 'left-hand-side of assignment must take the form `a` or `a[b]`', target.span);
  }
  return target;
}

function lambda(stream: TokenStream): Expression {
  const start = stream.expect('lambda').span;
  const parameters = parseParameters(stream, { end: ':', hasTypes: false, parseExpression });
  stream.expect(':');
  const value = parseExpression(stream);
  const span = stream.spanFrom(start);
  const body = [{ kind: 'return', value, span: value.span } as const];
  return { kind: 'lambda', definition: { name: 'lambda', parameters, returnType: undefined, body }, span };
}

function conditional(stream: TokenStream): Expression {
  const start = stream.next.span;
  const then = disjunction(stream);
  if (!stream.accept('if')) return then;
  const test = disjunction(stream);
  stream.expect('else');
  const otherwise = parseExpression(stream);
  return { kind: 'conditional', test, then, otherwise, span: stream.spanFrom(start) };
}

function disjunction(stream: TokenStream): Expression {
  return logical(stream, 'or', () => logical(stream, 'and', () => negation(stream)));
}

function logical(stream: TokenStream, kind: 'and' | 'or', operand: () => Expression): Expression {
  const start = stream.next.span;
  let left = operand();
  for (let length = 1; stream.accept(kind); length++) {
    stream.checkLength(length);
    const right = operand();
    left = { kind, left, right, span: stream.spanFrom(start) };
  }
  return left;
}

function negation(stream: TokenStream): Expression {
  const start = stream.next.span;
  if (!stream.accept('not')) return comparison(stream);
  const operand = stream.nested(() => negation(stream));
  return { kind: 'unary', operator: 'not', operand, span: stream.spanFrom(start) };
}

function comparison(stream: TokenStream): Expression {
  const start = stream.next.span;
  const left = operation(stream, 0);
  const operator = comparisonOperator(stream);
  if (operator === undefined) return left;
  const right = operation(stream, 0);
  if (stream.isAt(...COMPARISONS)) {
    stream.unexpected('end of expression (comparisons are not associative in Starlark)');
  }
  return { kind: 'binary', operator, left, right, span: stream.spanFrom(start) };
}

function comparisonOperator(stream: TokenStream): BinaryOperator | undefined {
  const operator = COMPARISONS.find((symbol) => stream.accept(symbol));
  if (operator !== undefined) return operator;
  const { afterNext } = stream;
  if (!stream.isAt('not') || afterNext.kind !== 'keyword' || afterNext.text !== 'in') return undefined;
  stream.take();
  stream.take();
  return 'not in';
}

/** Operands with operators between them that bind at least as tightly as `level` says. */
function operation(stream: TokenStream, level: number): Expression {
  const start = stream.next.span;
  let left = sign(stream);
  for (let length = 1; ; length++) {
    const { next } = stream;
    const found = next.kind === 'symbol' ? OPERATOR_LEVELS.get(next.text) : undefined;
    if (next.kind !== 'symbol' || found === undefined || found < level) return left;
    stream.checkLength(length);
    stream.take();
    const right = operation(stream, found + 1);
    left = { kind: 'binary', operator: next.text as BinaryOperator, left, right, span: stream.spanFrom(start) };
  }
}

function sign(stream: TokenStream): Expression {
  const start = stream.next.span;
  const operator = (['-', '+', '~'] as const).find((symbol) => stream.accept(symbol));
  if (operator === undefined) return primary(stream);
  const operand = stream.nested(() => sign(stream));
  return { kind: 'unary', operator, operand, span: stream.spanFrom(start) };
}

/** An atom with its calls, attributes, indices and slices. */
function primary(stream: TokenStream): Expression {
  const start = stream.next.span;
  let object = atom(stream);
  for (let length = 1; ; length++) {
    stream.checkLength(length);
    if (stream.accept('.')) {
      const { name } = stream.expectName();
      object = { kind: 'attribute', object, name, span: stream.spanFrom(start) };
    } else if (stream.accept('(')) {
      const args = parseArguments(stream, parseExpression);
      object = { kind: 'call', callee: object, args, span: stream.spanFrom(start) };
    } else if (stream.accept('[')) {
      object = subscript(stream, object);
    } else return object;
  }
}

function subscript(stream: TokenStream, object: Expression): Expression {
  const bounds: (Expression | undefined)[] = [];
  do bounds.push(stream.isAt(':', ']') ? undefined : parseExpressionList(stream));
  while (bounds.length < 3 && stream.accept(':'));
  const [index] = bounds;
  if (bounds.length === 1 && index === undefined) stream.unexpected('expression');
  stream.expect(']');
  const span = stream.spanFrom(object.span);
  if (bounds.length === 1 && index !== undefined) return { kind: 'index', object, index, span };
  return { kind: 'slice', object, bounds, span };
}

function atom(stream: TokenStream): Expression {
  const { next } = stream;
  switch (next.kind) {
    case 'name':
      stream.take();
      return { kind: 'name', name: next.text, span: next.span };
    case 'string':
    case 'number':
      stream.take();
      return { kind: 'literal', value: next.value, span: next.span };
    case 'bytes':
      stream.take();
      return { kind: 'bytes', value: next.value, span: next.span };
    case 'format':
      stream.take();
      return { kind: 'format', parts: next.parts.map((part) => formatPiece(stream.text, part)), span: next.span };
    case 'symbol':
      return bracketed(stream);
    case 'keyword':
    case 'newline':
    case 'indent':
    case 'dedent':
    case 'end':
      return stream.unexpected('expression');
  }
}

function formatPiece(text: string, part: FormatPart): FormatPiece {
  if (typeof part === 'string') return part;
  const stream = new TokenStream(text, tokenizeExpression(text, part.expression));
  const expression = parseExpression(stream);
  if (!stream.isAtKind('end')) stream.unexpected("symbol '}'");
  return { expression, conversion: part.conversion };
}

function bracketed(stream: TokenStream): Expression {
  const start = stream.next.span;
  if (stream.accept('...')) return { kind: 'literal', value: null, span: start };
  if (stream.accept('(')) return parenthesized(stream, start);
  if (stream.accept('[')) return list(stream, start);
  if (stream.accept('{')) return dict(stream, start);
  return stream.unexpected('expression');
}

function parenthesized(stream: TokenStream, start: Span): Expression {
  if (stream.accept(')')) return { kind: 'tuple', items: [], span: stream.spanFrom(start) };
  const inner = parseExpressionList(stream);
  stream.expect(')');
  return { ...inner, span: stream.spanFrom(start) };
}

function list(stream: TokenStream, start: Span): Expression {
  const items: Expression[] = [];
  while (!stream.isAt(']')) {
    items.push(parseExpression(stream));
    const [element] = items;
    if (items.length === 1 && element !== undefined && stream.isAt('for')) {
      const clauses = comprehension(stream);
      stream.expect(']');
      return { kind: 'listComprehension', element, clauses, span: stream.spanFrom(start) };
    }
    if (!stream.accept(',')) break;
  }
  stream.expect(']');
  return { kind: 'list', items, span: stream.spanFrom(start) };
}

function dict(stream: TokenStream, start: Span): Expression {
  const entries: DictEntry[] = [];
  while (!stream.isAt('}')) {
    const key = parseExpression(stream);
    stream.expect(':');
    const entry = { key, value: parseExpression(stream) };
    if (entries.length === 0 && stream.isAt('for')) {
      const clauses = comprehension(stream);
      stream.expect('}');
      return { kind: 'dictComprehension', entry, clauses, span: stream.spanFrom(start) };
    }
    entries.push(entry);
    if (!stream.accept(',')) break;
  }
  stream.expect('}');
  return { kind: 'dict', entries, span: stream.spanFrom(start) };
}

function comprehension(stream: TokenStream): Clause[] {
  const clauses: Clause[] = [];
  for (;;) {
    stream.checkLength(clauses.length);
    if (stream.accept('for')) {
      const target = parseLoopTarget(stream);
      stream.expect('in');
      clauses.push({ kind: 'for', target, iterable: disjunction(stream) });
    } else if (stream.accept('if')) {
      clauses.push({ kind: 'if', test: disjunction(stream) });
    } else return clauses;
  }
}
