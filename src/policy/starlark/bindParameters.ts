import { RulesError } from './rulesError';
import { type Call, List, typeOf, type Value } from './values';
import { repr } from './words';

/** A parameter of a function that is not written in the file itself. */
export interface ParameterOf {
  readonly name: string;
  readonly type: 'str' | 'list' | 'int' | 'bool' | 'any';
  readonly isRequired: boolean;
}

/** The values that a call gives to `parameters`, by name, of their types. Throws a `RulesError` for a call that does not fit. */
export function bindParameters(call: Call, parameters: readonly ParameterOf[]): ReadonlyMap<string, Value> {
  const { name, positional, named, span } = call;
  const values = new Map(positional.map((value, place) => [parameters[place]?.name, value]));
  if (positional.length > parameters.length) {
    const extra = positional.length - parameters.length;
    throw new RulesError('unknown-parameter', `Found ${extra} extra positional argument(s) for call to ${name}`, span);
  }
  const unknown = [...named.keys()].filter((key) => parameters.every((parameter) => parameter.name !== key));
  if (unknown.length > 0) {
    const names = unknown.map((key) => `\`${key}\``).join(' ');
    throw new RulesError('unknown-parameter', `Found ${names} extra named parameter(s) for call to ${name}`, span);
  }
  for (const [key, value] of named) {
    if (values.has(key)) throw new RulesError('runtime', `Argument \`${key}\` occurs more than once`, span);
    values.set(key, value);
  }
  const bound = new Map<string, Value>();
  for (const parameter of parameters) {
    const value = values.get(parameter.name);
    if (value !== undefined) bound.set(parameter.name, checkType(parameter, value, call));
    else if (parameter.isRequired) {
      const message = `Missing parameter \`${parameter.name}\` for call to \`${name}\``;
      throw new RulesError('missing-parameter', message, span);
    }
  }
  return bound;
}

function checkType({ name, type }: ParameterOf, value: Value, { span }: Call): Value {
  const actual = typeOf(value);
  if (type === 'any' || actual === (type === 'str' ? 'string' : type)) return value;
  const message = `Type of parameter \`${name}\` doesn't match, expected \`${type}\`, actual \`${actual} (repr: ${repr(value)})\``;
  throw new RulesError('type', message, span);
}

/** The string that was given for a parameter of type `str`. */
export function stringOf(values: ReadonlyMap<string, Value>, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The elements that were given for a parameter of type `list`. */
export function listOf(values: ReadonlyMap<string, Value>, name: string): readonly Value[] | undefined {
  const value = values.get(name);
  return value instanceof List ? value.items : undefined;
}
