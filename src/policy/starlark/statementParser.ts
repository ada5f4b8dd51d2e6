import { checkTarget, parseExpression, parseExpressionList, parseLoopTarget } from './expressionParser';
import { tokenize } from './lexer';
import { MAX_SOURCE_UNITS } from './limits';
import { parseParameters } from './parameterParser';
import { RulesError } from './rulesError';
import type { BinaryOperator, Branch, Statement } from './syntaxTree';
import { TokenStream } from './tokenStream';

const UPDATES = ['+', '-', '*', '/', '//', '%', '&', '|', '^', '<<', '>>'] as const satisfies readonly BinaryOperator[];

/** Where a statement stands: some are at home only in functions or loops. */
interface Place {
  readonly isInFunction: boolean;
  readonly isInLoop: boolean;
}

/** The statements of a file. Throws a `RulesError` at the first that cannot be understood. */
export function parseFile(text: string): Statement[] {
  if (text.length > MAX_SOURCE_UNITS) {
    const message = `the file is longer than ${MAX_SOURCE_UNITS} characters`;
    throw new RulesError('limit', message, { start: MAX_SOURCE_UNITS, end: text.length });
  }
  const stream = new TokenStream(text, tokenize(text));
  const statements: Statement[] = [];
  while (!stream.isAtKind('end')) statements.push(...statement(stream, { isInFunction: false, isInLoop: false }));
  return statements;
}

/** A compound statement, or all the simple ones of a line. */
function statement(stream: TokenStream, place: Place): readonly Statement[] {
  if (stream.isAt('if')) return [stream.nested(() => conditional(stream, place))];
  if (stream.isAt('for')) return [stream.nested(() => loop(stream, place))];
  if (stream.isAt('def')) return [stream.nested(() => definition(stream))];
  return simpleStatements(stream, place);
}

function simpleStatements(stream: TokenStream, place: Place): Statement[] {
  const statements = [simpleStatement(stream, place)];
  while (stream.accept(';') && !stream.isAtKind('newline')) statements.push(simpleStatement(stream, place));
  if (!stream.isAtKind('newline')) stream.unexpected('new line');
  stream.take();
  return statements;
}

function simpleStatement(stream: TokenStream, place: Place): Statement {
  const start = stream.next.span;
  if (stream.isAt('load')) return refuseLoad(stream, place);
  if (stream.accept('pass')) return { kind: 'pass', span: start };
  const jump = (['break', 'continue'] as const).find((word) => stream.accept(word));
  if (jump !== undefined) {
    if (place.isInLoop) return { kind: jump, span: start };
    throw new RulesError('parse', `\`${jump}\` cannot be used outside of a \`for\` loop`, start);
  }
  if (stream.accept('return')) {
    const value = stream.isAtKind('newline') || stream.isAt(';') ? undefined : parseExpressionList(stream);
    const span = stream.spanFrom(start);
    if (place.isInFunction) return { kind: 'return', value, span };
    throw new RulesError('parse', '`return` cannot be used outside of a `def` function', span);
  }
  return expressionOrAssignment(stream);
}

function refuseLoad(stream: TokenStream, { isInFunction }: Place): never {
  const start = stream.take().span;
  if (isInFunction) throw new RulesError('parse', '`load` must only occur at the top of a module', start);
  const file = stream.accept('(') && stream.next.kind === 'string' ? stream.next.value : '';
  while (!stream.isAt(')') && !stream.isAtKind('newline', 'end')) stream.take();
  stream.accept(')');
  throw new RulesError('load', `files of rules cannot load others, such as \`${file}\``, stream.spanFrom(start));
}

function expressionOrAssignment(stream: TokenStream): Statement {
  const start = stream.next.span;
  const expression = parseExpressionList(stream);
  const type = expression.kind === 'name' && stream.accept(':') ? parseExpression(stream) : undefined;
  if (type !== undefined || stream.isAt('=')) {
    const target = checkTarget(expression);
    stream.expect('=');
    const value = parseExpressionList(stream);
    return { kind: 'assign', target, type, value, span: stream.spanFrom(start) };
  }
  const operator = UPDATES.find((symbol) => stream.accept(`${symbol}=`));
  if (operator === undefined) return { kind: 'expression', expression, span: expression.span };
  if (expression.kind !== 'name' && expression.kind !== 'index') {
    throw new RulesError('parse', 'only a name or an element can be updated', expression.span);
  }
  const value = parseExpressionList(stream);
  return { kind: 'update', target: expression, operator, value, span: stream.spanFrom(start) };
}

function conditional(stream: TokenStream, place: Place): Statement {
  const start = stream.expect('if').span;
  const branches: Branch[] = [];
  do branches.push({ test: parseExpression(stream), body: block(stream, place) });
  while (stream.accept('elif'));
  const otherwise = stream.accept('else') ? block(stream, place) : [];
  return { kind: 'if', branches, otherwise, span: stream.spanFrom(start) };
}

function loop(stream: TokenStream, place: Place): Statement {
  const start = stream.expect('for').span;
  const target = parseLoopTarget(stream);
  stream.expect('in');
  const iterable = parseExpressionList(stream);
  const body = block(stream, { ...place, isInLoop: true });
  return { kind: 'for', target, iterable, body, span: stream.spanFrom(start) };
}

function definition(stream: TokenStream): Statement {
  const start = stream.expect('def').span;
  const { name } = stream.expectName();
  stream.expect('(');
  const parameters = parseParameters(stream, { end: ')', hasTypes: true, parseExpression });
  stream.expect(')');
  const returnType = stream.accept('->') ? parseExpression(stream) : undefined;
  const body = block(stream, { isInFunction: true, isInLoop: false });
  return { kind: 'def', definition: { name, parameters, returnType, body }, span: stream.spanFrom(start) };
}

function block(stream: TokenStream, place: Place): Statement[] {
  stream.expect(':');
  if (!stream.isAtKind('newline')) return simpleStatements(stream, place);
  stream.take();
  if (!stream.isAtKind('indent')) stream.unexpected('new indentation block');
  stream.take();
  const statements: Statement[] = [];
  while (!stream.isAtKind('dedent', 'end')) statements.push(...statement(stream, place));
  stream.take();
  return statements;
}
