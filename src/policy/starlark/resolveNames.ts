import { assignedNames, namesOfTarget } from './assignedNames';
import { RulesError } from './rulesError';
import type { Clause, Definition, DictEntry, Expression, Statement } from './syntaxTree';

/** The names that can be seen from a place, innermost scope first. */
type Scopes = readonly ReadonlySet<string>[];

/** Throws a `RulesError` at the first name that nothing in the file and none of `globals` defines, even if it is never reached. */
export function resolveNames(statements: readonly Statement[], globals: ReadonlySet<string>): void {
  checkStatements(statements, [assignedNames(statements), globals]);
}

function checkStatements(statements: readonly Statement[], scopes: Scopes): void {
  for (const statement of statements) checkStatement(statement, scopes);
}

function checkStatement(statement: Statement, scopes: Scopes): void {
  checkAll(expressionsOf(statement), scopes);
  if (statement.kind === 'for') checkStatements(statement.body, scopes);
  else if (statement.kind === 'def') checkDefinition(statement.definition, scopes);
  else if (statement.kind === 'if') {
    for (const { body } of statement.branches) checkStatements(body, scopes);
    checkStatements(statement.otherwise, scopes);
  }
}

/** The expressions of a statement itself, without those of the statements in it. */
function expressionsOf(statement: Statement): readonly (Expression | undefined)[] {
  switch (statement.kind) {
    case 'pass':
    case 'break':
    case 'continue':
    case 'def':
      return [];
    case 'return':
      return [statement.value];
    case 'expression':
      return [statement.expression];
    case 'assign':
      return [statement.type, statement.value, statement.target];
    case 'update':
      return [statement.target, statement.value];
    case 'if':
      return statement.branches.map(({ test }) => test);
    case 'for':
      return [statement.iterable, statement.target];
  }
}

function checkDefinition({ parameters, returnType, body }: Definition, scopes: Scopes): void {
  checkAll([...parameters.flatMap(({ type, defaultValue }) => [type, defaultValue]), returnType], scopes);
  const names = parameters.map(({ name }) => name);
  checkStatements(body, [new Set([...names, ...assignedNames(body)]), ...scopes]);
}

function checkAll(expressions: readonly (Expression | undefined)[], scopes: Scopes): void {
  for (const expression of expressions) if (expression !== undefined) check(expression, scopes);
}

function check(expression: Expression, scopes: Scopes): void {
  switch (expression.kind) {
    case 'name':
      if (scopes.some((names) => names.has(expression.name))) return;
      throw new RulesError('undefined-name', `Variable \`${expression.name}\` not found`, expression.span);
    case 'lambda':
      checkDefinition(expression.definition, scopes);
      return;
    case 'listComprehension':
      checkComprehension([expression.element], expression.clauses, scopes);
      return;
    case 'dictComprehension':
      checkComprehension(partsOfEntry(expression.entry), expression.clauses, scopes);
      return;
    default:
      checkAll(partsOf(expression), scopes);
  }
}

type Plain = Exclude<Expression, { kind: 'name' | 'lambda' | 'listComprehension' | 'dictComprehension' }>;

/** The expressions in one that sees the same names as they do. */
function partsOf(expression: Plain): readonly (Expression | undefined)[] {
  switch (expression.kind) {
    case 'literal':
    case 'bytes':
      return [];
    case 'format':
      return expression.parts.map((part) => (typeof part === 'string' ? undefined : part.expression));
    case 'list':
    case 'tuple':
      return expression.items;
    case 'dict':
      return expression.entries.flatMap(partsOfEntry);
    case 'conditional':
      return [expression.test, expression.then, expression.otherwise];
    case 'and':
    case 'or':
    case 'binary':
      return [expression.left, expression.right];
    case 'unary':
      return [expression.operand];
    case 'call':
      return [expression.callee, ...expression.args.map(({ value }) => value)];
    case 'attribute':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'slice':
      return [expression.object, ...expression.bounds];
  }
}

function partsOfEntry({ key, value }: DictEntry): Expression[] {
  return [key, value];
}

/** Each `for` sees the names of those before it, and what the first one goes through lies outside. */
function checkComprehension(elements: readonly Expression[], clauses: readonly Clause[], outer: Scopes): void {
  let scopes = outer;
  for (const clause of clauses) {
    if (clause.kind === 'if') check(clause.test, scopes);
    else {
      check(clause.iterable, scopes);
      scopes = [new Set(namesOfTarget(clause.target)), ...scopes];
      check(clause.target, scopes);
    }
  }
  checkAll(elements, scopes);
}
