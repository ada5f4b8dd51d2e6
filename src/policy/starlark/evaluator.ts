import { assignedNames, namesOfTarget } from './assignedNames';
import { bindArguments } from './functions';
import { hashKey, iterate, itemsOf } from './iterate';
import { methodOf } from './methods';
import { negate, operate } from './operators';
import { RulesError } from './rulesError';
import { Scope } from './scope';
import type { Span } from './sourceText';
import { elementOf, setElement, sliceOf } from './subscripts';
import type { Argument, Clause, Definition, DictEntry, Expression, Parameter, Statement } from './syntaxTree';
import { checkAnnotation } from './typeAnnotations';
import { Bytes, Callable, Dict, isTrue, List, type Machine, type Place, Tuple, typeOf, type Value } from './values';
import { repr, str } from './words';

/** Runs the body of a function in its scope, and gives what it returns. */
export type RunBody = (body: readonly Statement[], scope: Scope) => Value;

/** Gives expressions their values. Functions are run by `runBody`. */
export class Evaluator {
  constructor(
    private readonly machine: Machine,
    private readonly runBody: RunBody,
  ) {}

  evaluate(expression: Expression, scope: Scope): Value {
    const { span } = expression;
    this.machine.step(span);
    switch (expression.kind) {
      case 'name':
        return scope.get(expression.name, span);
      case 'literal':
        return expression.value;
      case 'bytes':
        return new Bytes(expression.value);
      case 'format':
        return this.format(expression.parts, scope, span);
      case 'list':
        return new List(
          this.all(expression.items, scope),
          expression.items.map((item) => item.span),
        );
      case 'tuple':
        return new Tuple(this.all(expression.items, scope));
      case 'dict':
        return this.dict(expression.entries, scope);
      case 'listComprehension': {
        const items: Value[] = [];
        this.comprehend(expression.clauses, scope, (inner) => {
          items.push(this.evaluate(expression.element, inner));
          this.machine.allocate(1, span);
        });
        return new List(items);
      }
      case 'dictComprehension': {
        const dict = new Dict();
        this.comprehend(expression.clauses, scope, (inner) => this.addEntry(dict, expression.entry, inner));
        return dict;
      }
      case 'lambda':
        return this.define(expression.definition, scope);
      case 'conditional':
        return this.evaluate(this.isTrue(expression.test, scope) ? expression.then : expression.otherwise, scope);
      case 'and':
      case 'or': {
        const left = this.evaluate(expression.left, scope);
        return isTrue(left) === (expression.kind === 'or') ? left : this.evaluate(expression.right, scope);
      }
      case 'unary': {
        const operand = this.evaluate(expression.operand, scope);
        return expression.operator === 'not' ? !isTrue(operand) : negate(expression.operator, operand, span);
      }
      case 'binary': {
        const [left, right] = [this.evaluate(expression.left, scope), this.evaluate(expression.right, scope)];
        return operate({ operator: expression.operator, left, right, ...this.at(span) });
      }
      case 'call':
        return this.machine.call(this.evaluate(expression.callee, scope), this.args(expression.args, scope), span);
      case 'attribute':
        return methodOf(this.evaluate(expression.object, scope), expression.name, this.at(span));
      case 'index':
        return elementOf(this.evaluate(expression.object, scope), this.evaluate(expression.index, scope), this.at(span));
      case 'slice': {
        const bounds = expression.bounds.map((bound) => (bound === undefined ? null : this.evaluate(bound, scope)));
        return sliceOf(this.evaluate(expression.object, scope), bounds, this.at(span));
      }
    }
  }

  isTrue(expression: Expression, scope: Scope): boolean {
    return isTrue(this.evaluate(expression, scope));
  }

  /** Binds the names or elements that `target` stands for. */
  assign(target: Expression, value: Value, scope: Scope): void {
    const { span } = target;
    if (target.kind === 'name') scope.set(target.name, value);
    else if (target.kind === 'index') {
      const [object, index] = [this.evaluate(target.object, scope), this.evaluate(target.index, scope)];
      setElement(object, index, { value, ...this.at(span) });
    } else if (target.kind === 'tuple' || target.kind === 'list') {
      const values = itemsOf(value, span);
      if (values.length !== target.items.length) {
        const message = `Unpacked ${values.length} values into ${target.items.length} variables`;
        throw new RulesError('runtime', message, span);
      }
      target.items.forEach((item, at) => this.assign(item, values[at] ?? null, scope));
    } else throw new Error('the parser lets nothing else through');
  }

  /** A function that sees the names of `scope`. Default values are made now, once. */
  define(definition: Definition, scope: Scope): Callable {
    const { name, parameters, returnType, body } = definition;
    const defaults = new Map<Parameter, Value>();
    for (const parameter of parameters) {
      if (parameter.defaultValue !== undefined) defaults.set(parameter, this.evaluate(parameter.defaultValue, scope));
    }
    const names = new Set([...parameters.map((parameter) => parameter.name), ...assignedNames(body)]);
    return new Callable(name, (call) => {
      const inner = new Scope(names, scope);
      for (const [parameter, value] of bindArguments(call, parameters, defaults)) {
        if (parameter.kind === 'plain') checkAnnotation(value, parameter.type, call.span);
        inner.set(parameter.name, value);
      }
      const result = this.runBody(body, inner);
      checkAnnotation(result, returnType, call.span);
      return result;
    });
  }

  at(span: Span): Place {
    return { span, machine: this.machine };
  }

  private all(expressions: readonly Expression[], scope: Scope): Value[] {
    return expressions.map((expression) => this.evaluate(expression, scope));
  }

  private format(parts: Extract<Expression, { kind: 'format' }>['parts'], scope: Scope, span: Span): string {
    const words = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = this.evaluate(part.expression, scope);
      return part.conversion === 'repr' ? repr(value) : str(value);
    });
    this.machine.allocate(
      words.reduce((sum, word) => sum + word.length, 0),
      span,
    );
    return words.join('');
  }

  private dict(entries: readonly DictEntry[], scope: Scope): Dict {
    const dict = new Dict();
    for (const entry of entries) {
      const { size } = dict.entries;
      this.addEntry(dict, entry, scope);
      if (dict.entries.size === size) throw new RulesError('runtime', 'Dictionary key repeated', entry.key.span);
    }
    return dict;
  }

  private addEntry(dict: Dict, entry: DictEntry, scope: Scope): void {
    const [key, value] = [this.evaluate(entry.key, scope), this.evaluate(entry.value, scope)];
    this.machine.allocate(1, entry.key.span);
    dict.entries.set(hashKey(key, this.at(entry.key.span)), [key, value]);
  }

  private comprehend(clauses: readonly Clause[], scope: Scope, visit: (scope: Scope) => void): void {
    const [clause, ...rest] = clauses;
    if (clause === undefined) visit(scope);
    else if (clause.kind === 'if') {
      if (this.isTrue(clause.test, scope)) this.comprehend(rest, scope, visit);
    } else {
      const names = new Set(namesOfTarget(clause.target));
      iterate(this.evaluate(clause.iterable, scope), clause.iterable.span, (item) => {
        const inner = new Scope(names, scope);
        this.assign(clause.target, item, inner);
        this.comprehend(rest, inner, visit);
        return undefined;
      });
    }
  }

  private args(args: readonly Argument[], scope: Scope): { positional: Value[]; named: Map<string, Value> } {
    const positional: Value[] = [];
    const named = new Map<string, Value>();
    for (const argument of args) {
      const value = this.evaluate(argument.value, scope);
      const { span } = argument.value;
      if (argument.kind === 'positional') positional.push(value);
      else if (argument.kind === 'positionals') positional.push(...itemsOf(value, span));
      else if (argument.kind === 'named') named.set(argument.name ?? '', value);
      else addNamed(named, value, span);
    }
    return { positional, named };
  }
}

function addNamed(named: Map<string, Value>, value: Value, span: Span): void {
  if (!(value instanceof Dict)) throw new RulesError('runtime', `\`**\` takes a dict, not \`${typeOf(value)}\``, span);
  for (const [key, item] of value.entries.values()) {
    if (typeof key !== 'string') throw new RulesError('runtime', 'the names of arguments are strings', span);
    if (named.has(key)) throw new RulesError('runtime', `Argument \`${key}\` occurs more than once`, span);
    named.set(key, item);
  }
}
