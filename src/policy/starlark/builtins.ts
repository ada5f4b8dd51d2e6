import { bindParameters, type ParameterOf } from './bindParameters';
import { order } from './compare';
import { hashKey, itemsOf } from './iterate';
import { RulesError } from './rulesError';
import { type Call, Callable, Dict, isTrue, List, Sequence, Tuple, typeOf, type Value } from './values';
import { repr, str } from './words';

/** The names that every file knows: those of Codex's dialect that have a use in rules. */
export const builtins: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['None', null],
  ['True', true],
  ['False', false],
  ...Object.entries<(call: Call) => Value>({
    abs: (call) => absolute(call),
    all: (call) => items(call).every(isTrue),
    any: (call) => items(call).some(isTrue),
    bool: (call) => isTrue(optional(call)),
    chr: (call) => character(call),
    dict: (call) => dict(call),
    enumerate: (call) => new List(items(call).map((item, at) => new Tuple([BigInt(at), item]))),
    fail: (call) => {
      bindParameters({ ...call, positional: [] }, []);
      throw new RulesError('fail', `fail: ${call.positional.map(str).join(' ')}`, call.span);
    },
    int: (call) => integer(call),
    len: (call) => BigInt(length(call)),
    list: (call) => new List([...optionalItems(call)]),
    max: (call) => extreme(call, -1),
    min: (call) => extreme(call, 1),
    ord: (call) => codePoint(call),
    range: (call) => range(call),
    repr: (call) => repr(one(call)),
    reversed: (call) => new List([...items(call)].reverse()),
    sorted: (call) => sorted(call),
    str: (call) => str(one(call)),
    tuple: (call) => new Tuple([...optionalItems(call)]),
    type: (call) => typeOf(one(call)),
    zip: (call) => zip(call),
  }).map(([name, run]) => [name, new Callable(name, run)] as const),
]);

function one(call: Call): Value {
  return bindParameters(call, [{ name: 'x', type: 'any', isRequired: true }]).get('x') ?? null;
}

function optional(call: Call): Value {
  return call.positional.length === 0 && call.named.size === 0 ? null : one(call);
}

/** The elements of the one argument, which the result will have too. */
function items(call: Call): readonly Value[] {
  const found = itemsOf(one(call), call.span);
  call.machine.allocate(found.length, call.span);
  return found;
}

function optionalItems(call: Call): readonly Value[] {
  return call.positional.length === 0 && call.named.size === 0 ? [] : items(call);
}

function absolute(call: Call): Value {
  const value = one(call);
  if (typeof value === 'bigint') return value < 0n ? -value : value;
  return typeof value === 'number' ? Math.abs(value) : unsupported('abs()', value, call);
}

function character(call: Call): Value {
  const value = one(call);
  const isCharacter =
    typeof value === 'bigint' && value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return isCharacter ? String.fromCodePoint(Number(value)) : unsupported('chr()', value, call);
}

function codePoint(call: Call): Value {
  const value = one(call);
  const [first, ...rest] = typeof value === 'string' ? Array.from(value) : [];
  return first === undefined || rest.length > 0 ? unsupported('ord()', value, call) : BigInt(first.codePointAt(0) ?? 0);
}

function length(call: Call): number {
  const value = one(call);
  if (typeof value === 'string') return Array.from(value).length;
  if (value instanceof Dict) return value.entries.size;
  if (value instanceof List || value instanceof Tuple || value instanceof Sequence) return value.items.length;
  return unsupported('len()', value, call);
}

function integer(call: Call): Value {
  const value = one(call);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  return typeof value === 'string' && /^[+-]?\d{1,300}$/.test(value) ? BigInt(value) : unsupported('int()', value, call);
}

function dict(call: Call): Value {
  const made = new Dict();
  const add = (key: Value, value: Value): void => void made.entries.set(hashKey(key, call), [key, value]);
  if (call.positional.length > 0) {
    const [from] = call.positional;
    const source = from ?? null;
    for (const item of itemsOf(source, call.span)) {
      if (source instanceof Dict) add(item, source.entries.get(hashKey(item, call))?.[1] ?? null);
      else {
        const pair = itemsOf(item, call.span);
        if (pair.length !== 2) throw new RulesError('runtime', 'dict() takes pairs of a key and a value', call.span);
        add(pair[0] ?? null, pair[1] ?? null);
      }
    }
  }
  for (const [name, value] of call.named) add(name, value);
  return made;
}

const RANGE_PARAMETERS: readonly ParameterOf[] = [
  { name: 'start', type: 'int', isRequired: true },
  { name: 'stop', type: 'int', isRequired: false },
  { name: 'step', type: 'int', isRequired: false },
];

function range(call: Call): Value {
  const bound = bindParameters(call, RANGE_PARAMETERS);
  const [first, second, third] = ['start', 'stop', 'step'].map((name) => Number(bound.get(name) ?? NaN));
  const step = third === undefined || Number.isNaN(third) ? 1 : third;
  const hasStop = second !== undefined && !Number.isNaN(second);
  const [start, stop] = hasStop ? [first ?? 0, second] : [0, first ?? 0];
  if (step === 0) throw new RulesError('runtime', 'Third argument of range (step) cannot be zero', call.span);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  call.machine.allocate(count, call.span);
  return new Sequence(Array.from({ length: count }, (_, at) => BigInt(start + at * step)));
}

/** Takes `key` and `reverse` by name. */
function sorted(call: Call): Value {
  const { key = null, reverse = false } = Object.fromEntries(call.named);
  bindParameters({ ...call, positional: [] }, [
    { name: 'key', type: 'any', isRequired: false },
    { name: 'reverse', type: 'bool', isRequired: false },
  ]);
  const direction = reverse === true ? -1 : 1;
  const keyed = items({ ...call, named: new Map() }).map((item) => [keyOf(item, key, call), item] as const);
  return new List(keyed.sort(([left], [right]) => direction * order(left, right, call)).map(([, item]) => item));
}

/** The least (`direction` 1) or the greatest (-1) of the arguments, or of the elements of the only one. */
function extreme(call: Call, direction: number): Value {
  const key = call.named.get('key') ?? null;
  const [first] = call.positional;
  const candidates = call.positional.length === 1 && first !== undefined ? itemsOf(first, call.span) : call.positional;
  const keyed = candidates.map((item) => [keyOf(item, key, call), item] as const);
  if (keyed.length === 0) throw new RulesError('runtime', `${call.name}() needs an element`, call.span);
  return keyed.reduce((best, next) => (direction * order(next[0], best[0], call) < 0 ? next : best))[1];
}

function keyOf(item: Value, key: Value, call: Call): Value {
  return key === null ? item : call.machine.call(key, { positional: [item], named: new Map() }, call.span);
}

function zip(call: Call): Value {
  const columns = call.positional.map((value) => itemsOf(value, call.span));
  const count = columns.length === 0 ? 0 : Math.min(...columns.map((column) => column.length));
  call.machine.allocate(count * columns.length, call.span);
  return new List(Array.from({ length: count }, (_, at) => new Tuple(columns.map((column) => column[at] ?? null))));
}

function unsupported(operation: string, value: Value, { span }: Call): never {
  throw new RulesError('runtime', `Operation \`${operation}\` not supported on type \`${typeOf(value)}\``, span);
}
