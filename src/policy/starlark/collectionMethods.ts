import { bindParameters } from './bindParameters';
import { areEqual } from './compare';
import { checkMutable, hashKey, itemsOf } from './iterate';
import { RulesError } from './rulesError';
import { type Call, Dict, List, type Place, Tuple, type Value } from './values';
import { repr } from './words';

export const listMethods: ReadonlyMap<string, (list: List, call: Call) => Value> = new Map<
  string,
  (list: List, call: Call) => Value
>([
  ['append', (list, call) => insert(list, call, list.items.length)],
  ['clear', (list, call) => clear(list, call)],
  ['extend', (list, call) => extendList(list, argument(call), call)],
  ['index', (list, call) => BigInt(indexOf(list, call))],
  [
    'insert',
    (list, call) => insert(list, { ...call, positional: call.positional.slice(1) }, Number(call.positional[0] ?? 0n)),
  ],
  ['pop', (list, call) => pop(list, call)],
  ['remove', (list, call) => remove(list, call)],
]);

export const dictMethods: ReadonlyMap<string, (dict: Dict, call: Call) => Value> = new Map<
  string,
  (dict: Dict, call: Call) => Value
>([
  ['clear', (dict, call) => clearDict(dict, call)],
  ['get', (dict, call) => keyed(call, (key, fallback) => dict.entries.get(hashKey(key, call))?.[1] ?? fallback)],
  [
    'items',
    (dict, call) =>
      listed(
        call,
        Array.from(dict.entries.values(), (entry) => new Tuple(entry)),
      ),
  ],
  [
    'keys',
    (dict, call) =>
      listed(
        call,
        Array.from(dict.entries.values(), ([key]) => key),
      ),
  ],
  ['pop', (dict, call) => keyed(call, (key, fallback) => popKey(dict, key, { call, fallback }))],
  ['setdefault', (dict, call) => keyed(call, (key, fallback) => setDefault(dict, key, { call, fallback }))],
  ['update', (dict, call) => update(dict, call)],
  [
    'values',
    (dict, call) =>
      listed(
        call,
        Array.from(dict.entries.values(), ([, value]) => value),
      ),
  ],
]);

/** Adds all elements of `value` to the list, as `+=` does too. */
export function extendList(list: List, value: Value, { span, machine }: Place): null {
  checkMutable(list, span);
  const added = [...itemsOf(value, span)];
  machine.allocate(added.length, span);
  for (const item of added) list.items.push(item);
  return null;
}

function clear(list: List, call: Call): null {
  bindParameters(call, []);
  changing(list, call).items.splice(0);
  return null;
}

function clearDict(dict: Dict, call: Call): null {
  bindParameters(call, []);
  changing(dict, call).entries.clear();
  return null;
}

function remove(list: List, call: Call): null {
  changing(list, call).items.splice(indexOf(list, call), 1);
  return null;
}

function argument(call: Call): Value {
  return bindParameters(call, [{ name: 'x', type: 'any', isRequired: true }]).get('x') ?? null;
}

function changing<T extends List | Dict>(value: T, call: Call): T {
  checkMutable(value, call.span);
  return value;
}

function insert(list: List, call: Call, at: number): null {
  const item = argument(call);
  call.machine.allocate(1, call.span);
  changing(list, call).items.splice(at, 0, item);
  return null;
}

function indexOf(list: List, call: Call): number {
  const wanted = argument(call);
  const at = list.items.findIndex((item) => areEqual(item, wanted, call));
  if (at >= 0) return at;
  throw new RulesError('runtime', `Element '${repr(wanted)}' not found in '${repr(list)}'`, call.span);
}

function pop(list: List, call: Call): Value {
  const at = Number(bindParameters(call, [{ name: 'index', type: 'int', isRequired: false }]).get('index') ?? -1n);
  const [popped] = changing(list, call).items.splice(at, 1);
  if (popped === undefined) throw new RulesError('runtime', `Index \`${at}\` is out of bound`, call.span);
  return popped;
}

function keyed(call: Call, run: (key: Value, fallback: Value) => Value): Value {
  const values = bindParameters(call, [
    { name: 'key', type: 'any', isRequired: true },
    { name: 'default', type: 'any', isRequired: false },
  ]);
  return run(values.get('key') ?? null, values.get('default') ?? null);
}

interface Fallback {
  readonly call: Call;
  readonly fallback: Value;
}

function popKey(dict: Dict, key: Value, { call, fallback }: Fallback): Value {
  const hash = hashKey(key, call);
  const entry = dict.entries.get(hash);
  changing(dict, call).entries.delete(hash);
  if (entry !== undefined) return entry[1];
  if (call.positional.length > 1) return fallback;
  throw new RulesError('runtime', `Key \`${repr(key)}\` was not found`, call.span);
}

function setDefault(dict: Dict, key: Value, { call, fallback }: Fallback): Value {
  const hash = hashKey(key, call);
  const entry = dict.entries.get(hash);
  if (entry !== undefined) return entry[1];
  changing(dict, call).entries.set(hash, [key, fallback]);
  return fallback;
}

function update(dict: Dict, call: Call): null {
  const [source] = call.positional;
  const from = source instanceof Dict ? source.entries.values() : [];
  if (source !== undefined && !(source instanceof Dict)) throw new RulesError('type', 'update() takes a dict', call.span);
  const named = Array.from(call.named, ([name, value]) => [name, value] as const);
  for (const [key, value] of [...from, ...named]) changing(dict, call).entries.set(hashKey(key, call), [key, value]);
  return null;
}

function listed(call: Call, values: Value[]): List {
  bindParameters(call, []);
  call.machine.allocate(values.length, call.span);
  return new List(values);
}
