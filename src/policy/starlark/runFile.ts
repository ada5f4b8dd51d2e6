import { assignedNames } from './assignedNames';
import { BoundedMachine } from './boundedMachine';
import { extendList } from './collectionMethods';
import { Evaluator } from './evaluator';
import { iterate } from './iterate';
import { operate } from './operators';
import { resolveNames } from './resolveNames';
import { Scope } from './scope';
import { parseFile } from './statementParser';
import type { Statement } from './syntaxTree';
import { checkAnnotation } from './typeAnnotations';
import { List, type Value } from './values';

/** How a row of statements ended, if not by reaching its end. */
type Completion = 'break' | 'continue' | { readonly returned: Value };

/**
 * Runs a file of rules, which sees only the names in `globals`: it reads and writes nothing else, and what it may cost is bounded
 * by limits.ts. Throws a `RulesError`.
 */
export function runFile(text: string, globals: ReadonlyMap<string, Value>): void {
  const statements = parseFile(text);
  resolveNames(statements, new Set(globals.keys()));
  const outermost = new Scope(new Set(globals.keys()), undefined);
  for (const [name, value] of globals) outermost.set(name, value);
  new Interpreter().execute(statements, new Scope(assignedNames(statements), outermost));
}

class Interpreter {
  private readonly machine = new BoundedMachine();
  private readonly evaluator = new Evaluator(this.machine, (body, scope) => {
    const completion = this.execute(body, scope);
    return typeof completion === 'object' ? completion.returned : null;
  });

  execute(statements: readonly Statement[], scope: Scope): Completion | undefined {
    for (const statement of statements) {
      this.machine.step(statement.span);
      const completion = this.executeOne(statement, scope);
      if (completion !== undefined) return completion;
    }
    return undefined;
  }

  private executeOne(statement: Statement, scope: Scope): Completion | undefined {
    switch (statement.kind) {
      case 'pass':
        return undefined;
      case 'break':
      case 'continue':
        return statement.kind;
      case 'return':
        return { returned: statement.value === undefined ? null : this.evaluator.evaluate(statement.value, scope) };
      case 'expression':
        this.evaluator.evaluate(statement.expression, scope);
        return undefined;
      case 'assign': {
        const value = this.evaluator.evaluate(statement.value, scope);
        checkAnnotation(value, statement.type, statement.span);
        this.evaluator.assign(statement.target, value, scope);
        return undefined;
      }
      case 'update':
        this.update(statement, scope);
        return undefined;
      case 'if': {
        const branch = statement.branches.find(({ test }) => this.evaluator.isTrue(test, scope));
        return this.execute(branch?.body ?? statement.otherwise, scope);
      }
      case 'for':
        return this.loop(statement, scope);
      case 'def':
        scope.set(statement.definition.name, this.evaluator.define(statement.definition, scope));
        return undefined;
    }
  }

  /** A list is extended in place, so that whoever else has it sees that; everything else gets a new value. */
  private update(statement: Extract<Statement, { kind: 'update' }>, scope: Scope): void {
    const { target, operator, span } = statement;
    const left = this.evaluator.evaluate(target, scope);
    const right = this.evaluator.evaluate(statement.value, scope);
    const place = this.evaluator.at(span);
    if (left instanceof List && operator === '+') extendList(left, right, place);
    else this.evaluator.assign(target, operate({ operator, left, right, ...place }), scope);
  }

  private loop(statement: Extract<Statement, { kind: 'for' }>, scope: Scope): Completion | undefined {
    let returned: Completion | undefined;
    iterate(this.evaluator.evaluate(statement.iterable, scope), statement.iterable.span, (item) => {
      this.evaluator.assign(statement.target, item, scope);
      const completion = this.execute(statement.body, scope);
      if (typeof completion === 'object') returned = completion;
      return completion === 'break' || returned !== undefined ? 'stop' : undefined;
    });
    return returned;
  }
}
