import { checkMutable, hashKey } from './iterate';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import { Dict, List, type Place, Sequence, Tuple, typeOf, type Value } from './values';
import { repr } from './words';

/** `object[index]`. A string has its characters, not its bytes or UTF-16 units. */
export function elementOf(object: Value, index: Value, place: Place): Value {
  const { span } = place;
  if (object instanceof Dict) {
    const entry = object.entries.get(hashKey(index, place));
    if (entry === undefined) throw new RulesError('runtime', `Key \`${repr(index)}\` was not found`, span);
    return entry[1];
  }
  const items = elements(object);
  if (items === undefined)
    throw new RulesError('runtime', `Operation \`[]\` not supported on type \`${typeOf(object)}\``, span);
  return items[checkedIndex(index, items.length, span)] ?? null;
}

/** `object[index] = value`. */
export function setElement(object: Value, index: Value, place: Place & { readonly value: Value }): void {
  const { value, span } = place;
  if (object instanceof Dict) {
    checkMutable(object, span);
    object.entries.set(hashKey(index, place), [index, value]);
  } else if (object instanceof List) {
    checkMutable(object, span);
    object.items[checkedIndex(index, object.items.length, span)] = value;
  } else throw new RulesError('runtime', `Operation \`[]=\` not supported on type \`${typeOf(object)}\``, span);
}

/** `object[from:to:step]`, where what is null was left out. */
export function sliceOf(object: Value, bounds: readonly Value[], { span, machine }: Place): Value {
  const items = elements(object);
  if (items === undefined)
    throw new RulesError('runtime', `Operation \`[::]\` not supported on type \`${typeOf(object)}\``, span);
  const [from, to, by] = [0, 1, 2].map((place) => bound(bounds[place] ?? null, span));
  const step = by ?? 1;
  if (step === 0) throw new RulesError('runtime', 'Third slice parameter cannot be zero', span);
  const { length } = items;
  machine.allocate(length, span);
  // One place further out at either end: where a slice that goes backwards stops.
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (at: number): number => Math.min(Math.max(at < 0 ? at + length : at, lowest), highest);
  const start = from === undefined ? (step > 0 ? 0 : length - 1) : clamp(from);
  const stop = to === undefined ? (step > 0 ? length : -1) : clamp(to);
  const slice: Value[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) slice.push(items[at] ?? null);
  if (typeof object === 'string') return slice.filter((item) => typeof item === 'string').join('');
  return object instanceof List ? new List(slice) : new Tuple(slice);
}

function elements(object: Value): readonly Value[] | undefined {
  if (typeof object === 'string') return Array.from(object);
  return object instanceof List || object instanceof Tuple || object instanceof Sequence ? object.items : undefined;
}

function checkedIndex(index: Value, length: number, span: Span): number {
  const at = bound(index, span);
  if (at === undefined) throw new RulesError('runtime', 'an index is a whole number', span);
  const found = at < 0 ? at + length : at;
  if (found < 0 || found >= length) throw new RulesError('runtime', `Index \`${at}\` is out of bound`, span);
  return found;
}

function bound(value: Value, span: Span): number | undefined {
  if (value === null) return undefined;
  if (typeof value === 'bigint') return Number(value);
  throw new RulesError('runtime', `an index is a whole number, not \`${typeOf(value)}\``, span);
}
