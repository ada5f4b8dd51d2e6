import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import { Dict, List, type Place, Sequence, Tuple, typeOf, type Value } from './values';

/** What a loop over `value` sees. The elements of a list are its own, not a copy. */
export function itemsOf(value: Value, span: Span): readonly Value[] {
  if (value instanceof List || value instanceof Tuple || value instanceof Sequence) return value.items;
  if (value instanceof Dict) return [...value.entries.values()].map(([key]) => key);
  throw new RulesError('runtime', `Operation \`(iter)\` not supported on type \`${typeOf(value)}\``, span);
}

/** Goes through `value`, which cannot change meanwhile, until `visit` returns `'stop'`. */
export function iterate(value: Value, span: Span, visit: (item: Value) => 'stop' | undefined): void {
  const items = itemsOf(value, span);
  const isMutable = value instanceof List || value instanceof Dict;
  if (isMutable) value.iterators++;
  for (const item of items) if (visit(item) === 'stop') break;
  if (isMutable) value.iterators--;
}

/** Throws while a loop goes through it. */
export function checkMutable(value: List | Dict, span: Span): void {
  if (value.iterators === 0) return;
  throw new RulesError('runtime', 'This operation mutates an iterable for an iterator while iterating.', span);
}

/** The same for keys that are equal, such as 1 and 1.0. */
export function hashKey(key: Value, place: Place): string {
  place.machine.step(place.span);
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint' || typeof key === 'number') return `n${key}`;
  if (key === null || typeof key === 'boolean') return `c${String(key)}`;
  if (!(key instanceof Tuple)) {
    throw new RulesError('runtime', `Value of type \`${typeOf(key)}\` is not hashable`, place.span);
  }
  const hash = `t${JSON.stringify(key.items.map((item) => hashKey(item, place)))}`;
  place.machine.allocate(hash.length, place.span);
  return hash;
}
