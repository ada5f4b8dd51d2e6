import { dictMethods, listMethods } from './collectionMethods';
import { RulesError } from './rulesError';
import { stringMethods } from './stringMethods';
import { Callable, Dict, List, type Place, typeOf, type Value } from './values';

/** `object.name`, which is always a method. Throws a `RulesError` if there is none. */
export function methodOf(object: Value, name: string, { span }: Place): Callable {
  const method = find(object, name);
  if (method !== undefined) return method;
  throw new RulesError('runtime', `Object of type \`${typeOf(object)}\` has no attribute \`${name}\``, span);
}

function find(object: Value, name: string): Callable | undefined {
  if (typeof object === 'string') return bind(stringMethods.get(name), object, name);
  if (object instanceof List) return bind(listMethods.get(name), object, name);
  return object instanceof Dict ? bind(dictMethods.get(name), object, name) : undefined;
}

function bind<T>(
  method: ((object: T, call: Parameters<Callable['run']>[0]) => Value) | undefined,
  object: T,
  name: string,
): Callable | undefined {
  return method === undefined ? undefined : new Callable(name, (call) => method(object, call));
}
