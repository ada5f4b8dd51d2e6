import { RulesError } from './rulesError';
import { Bytes, Dict, List, type Place, Sequence, Tuple, typeOf, type Value } from './values';

export function areEqual(left: Value, right: Value, place: Place): boolean {
  place.machine.step(place.span);
  const both = (a: readonly Value[], b: readonly Value[]): boolean =>
    a.length === b.length && a.every((item, at) => areEqual(item, b[at] ?? null, place));
  if (left === right) return true;
  // An integer and a float can be equal, which `===` denies.
  if (isNumber(left) && isNumber(right)) return left <= right && left >= right;
  if (left instanceof Bytes && right instanceof Bytes) return left.text === right.text;
  if (left instanceof List && right instanceof List) return both(left.items, right.items);
  if (left instanceof Tuple && right instanceof Tuple) return both(left.items, right.items);
  if (left instanceof Sequence && right instanceof Sequence) return both(left.items, right.items);
  if (!(left instanceof Dict && right instanceof Dict) || left.entries.size !== right.entries.size) return false;
  return [...left.entries].every(([hash, [, value]]) => {
    const other = right.entries.get(hash);
    return other !== undefined && areEqual(value, other[1], place);
  });
}

/** Below 0 if `left` comes first, above if `right` does. Throws for values that have no order. */
export function order(left: Value, right: Value, place: Place): number {
  place.machine.step(place.span);
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  const areSequences = (left instanceof List && right instanceof List) || (left instanceof Tuple && right instanceof Tuple);
  if (!areSequences) {
    const types = `\`${typeOf(left)}\` and \`${typeOf(right)}\``;
    throw new RulesError('runtime', `Operation \`compare\` not supported for types ${types}`, place.span);
  }
  const first = left.items.findIndex((item, at) => !areEqual(item, right.items[at] ?? null, place));
  if (first < 0 || first >= right.items.length) return left.items.length - right.items.length;
  return order(left.items[first] ?? null, right.items[first] ?? null, place);
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
