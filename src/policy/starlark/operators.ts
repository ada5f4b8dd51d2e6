import { areEqual, order } from './compare';
import { formatPercent } from './formatting';
import { hashKey, itemsOf } from './iterate';
import { MAX_INTEGER_BITS } from './limits';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import type { BinaryOperator } from './syntaxTree';
import { Dict, List, type Place, Tuple, typeOf, type Value } from './values';

const MAX_INTEGER = 1n << BigInt(MAX_INTEGER_BITS);

export interface Operation extends Place {
  readonly operator: BinaryOperator;
  readonly left: Value;
  readonly right: Value;
}

export function operate(operation: Operation): Value {
  const { operator, left, right } = operation;
  switch (operator) {
    case '==':
      return areEqual(left, right, operation);
    case '!=':
      return !areEqual(left, right, operation);
    case '<':
      return order(left, right, operation) < 0;
    case '>':
      return order(left, right, operation) > 0;
    case '<=':
      return order(left, right, operation) <= 0;
    case '>=':
      return order(left, right, operation) >= 0;
    case 'in':
      return contains(operation);
    case 'not in':
      return !contains(operation);
    case '+':
    case '-':
    case '*':
    case '/':
    case '//':
    case '%':
    case '|':
    case '^':
    case '&':
    case '<<':
    case '>>':
      return ofCollections(operation) ?? ofNumbers(operation);
  }
}

export function negate(operator: '-' | '+' | '~', operand: Value, span: Span): Value {
  if (typeof operand === 'bigint') return operator === '-' ? -operand : operator === '~' ? ~operand : operand;
  if (typeof operand === 'number' && operator !== '~') return operator === '-' ? -operand : operand;
  throw new RulesError('runtime', `Operation \`${operator}\` not supported on type \`${typeOf(operand)}\``, span);
}

function contains(operation: Operation): boolean {
  const { left, right, span } = operation;
  if (typeof right === 'string') return typeof left === 'string' ? right.includes(left) : unsupported(operation);
  if (right instanceof Dict) return right.entries.has(hashKey(left, operation));
  if (right === null || typeof right !== 'object') return unsupported(operation);
  return itemsOf(right, span).some((item) => areEqual(item, left, operation));
}

/** Undefined if it is for numbers, or for nothing. */
function ofCollections({ operator, left, right, span, machine }: Operation): Value | undefined {
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, { span, machine });
  if (operator === '*') {
    if (typeof right === 'bigint') return repeat(left, right, { span, machine });
    return typeof left === 'bigint' ? repeat(right, left, { span, machine }) : undefined;
  }
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') {
      machine.allocate(left.length + right.length, span);
      return left + right;
    }
    if (left instanceof List && right instanceof List) return new List(joined(left.items, right.items));
    if (left instanceof Tuple && right instanceof Tuple) return new Tuple(joined(left.items, right.items));
  }
  if (operator !== '|' || !(left instanceof Dict && right instanceof Dict)) return undefined;
  const union = new Dict();
  machine.allocate(left.entries.size + right.entries.size, span);
  for (const [hash, entry] of [...left.entries, ...right.entries]) union.entries.set(hash, entry);
  return union;

  function joined(first: readonly Value[], second: readonly Value[]): Value[] {
    machine.allocate(first.length + second.length, span);
    return [...first, ...second];
  }
}

function repeat(value: Value, count: bigint, { span, machine }: Place): Value | undefined {
  const times = Math.max(0, Number(count));
  if (typeof value === 'string') {
    machine.allocate(value.length * times, span);
    return value.repeat(times);
  }
  if (!(value instanceof List || value instanceof Tuple)) return undefined;
  machine.allocate(value.items.length * times, span);
  const items = Array.from({ length: times }, () => value.items).flat();
  return value instanceof List ? new List(items) : new Tuple(items);
}

function ofNumbers(operation: Operation): Value {
  const { operator, left, right, span } = operation;
  if (typeof left === 'bigint' && typeof right === 'bigint' && operator !== '/') {
    const result = ofIntegers(operation, left, right);
    if (result > MAX_INTEGER || result < -MAX_INTEGER) throw new RulesError('limit', 'the number gets too large', span);
    return result;
  }
  const areNumbers = [left, right].every((value) => typeof value === 'bigint' || typeof value === 'number');
  return areNumbers ? ofFloats(operation, Number(left), Number(right)) : unsupported(operation);
}

function ofIntegers(operation: Operation, left: bigint, right: bigint): bigint {
  const { operator, span } = operation;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '//':
    case '%': {
      if (right === 0n) throw new RulesError('runtime', 'integer division by zero', span);
      // Starlark rounds down, JavaScript towards zero.
      const rest = left % right;
      const isBelow = rest !== 0n && rest < 0n !== right < 0n;
      if (operator === '%') return isBelow ? rest + right : rest;
      return isBelow ? left / right - 1n : left / right;
    }
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&':
      return left & right;
    case '<<':
    case '>>':
      if (right < 0n || right > MAX_INTEGER_BITS) throw new RulesError('runtime', 'the shift is out of range', span);
      return operator === '<<' ? left << right : left >> right;
    default:
      return unsupported(operation);
  }
}

function ofFloats(operation: Operation, left: number, right: number): number {
  const { operator, span } = operation;
  const isDivision = operator === '/' || operator === '//' || operator === '%';
  if (isDivision && right === 0) throw new RulesError('runtime', 'float division by zero', span);
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '//':
      return Math.floor(left / right);
    case '%':
      return left - right * Math.floor(left / right);
    default:
      return unsupported(operation);
  }
}

function unsupported({ operator, left, right, span }: Operation): never {
  const types = `\`${typeOf(left)}\` and \`${typeOf(right)}\``;
  throw new RulesError('runtime', `Operation \`${operator}\` not supported for types ${types}`, span);
}
