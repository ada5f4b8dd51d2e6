import type { Expression, Statement } from './syntaxTree';

/** The names that these statements bind in their own scope: not those within functions, which have scopes of their own. */
export function assignedNames(statements: readonly Statement[]): ReadonlySet<string> {
  return new Set(statements.flatMap(namesOfStatement));
}

/** The names that assigning to `target` binds. */
export function namesOfTarget(target: Expression): string[] {
  if (target.kind === 'name') return [target.name];
  return target.kind === 'tuple' || target.kind === 'list' ? target.items.flatMap(namesOfTarget) : [];
}

function namesOfStatement(statement: Statement): string[] {
  switch (statement.kind) {
    case 'assign':
    case 'update':
      return namesOfTarget(statement.target);
    case 'def':
      return [statement.definition.name];
    case 'for':
      return [...namesOfTarget(statement.target), ...statement.body.flatMap(namesOfStatement)];
    case 'if':
      return [...statement.branches.flatMap(({ body }) => body), ...statement.otherwise].flatMap(namesOfStatement);
    case 'pass':
    case 'break':
    case 'continue':
    case 'return':
    case 'expression':
      return [];
  }
}
