import { RulesError } from './rulesError';
import type { Parameter } from './syntaxTree';
import { type Call, Dict, Tuple, type Value } from './values';

/** Gives the arguments of a call to the parameters of a function in the file. `defaults` are those of the parameters that have one. */
export function bindArguments(
  call: Call,
  parameters: readonly Parameter[],
  defaults: ReadonlyMap<Parameter, Value>,
): ReadonlyMap<Parameter, Value> {
  const bound = new Map<Parameter, Value>();
  const positional = [...call.positional];
  const named = new Map(call.named);
  let isByNameOnly = false;
  for (const parameter of parameters) {
    if (parameter.kind === 'gap') isByNameOnly = true;
    else if (parameter.kind === 'positionals') {
      isByNameOnly = true;
      bound.set(parameter, new Tuple(positional.splice(0)));
    } else if (parameter.kind === 'nameds') bound.set(parameter, takeAll(named));
    else bound.set(parameter, isByNameOnly || positional.length === 0 ? byName(parameter) : byPlace(parameter));
  }
  checkNothingLeft(positional, named, call);
  return bound;

  function byPlace(parameter: Parameter): Value {
    if (named.has(parameter.name)) {
      throw new RulesError('runtime', `Argument \`${parameter.name}\` occurs more than once`, call.span);
    }
    return positional.shift() ?? null;
  }

  function byName(parameter: Parameter): Value {
    const value = named.get(parameter.name) ?? defaults.get(parameter);
    named.delete(parameter.name);
    if (value !== undefined) return value;
    const message = `Missing parameter \`${parameter.name}\` for call to \`${call.name}\``;
    throw new RulesError('missing-parameter', message, call.span);
  }
}

function takeAll(named: Map<string, Value>): Dict {
  const dict = new Dict();
  for (const [name, value] of named) dict.entries.set(`s${name}`, [name, value]);
  named.clear();
  return dict;
}

function checkNothingLeft(positional: readonly Value[], named: ReadonlyMap<string, Value>, { name, span }: Call): void {
  if (positional.length > 0) {
    const message = `Found ${positional.length} extra positional argument(s) for call to ${name}`;
    throw new RulesError('unknown-parameter', message, span);
  }
  if (named.size === 0) return;
  const names = Array.from(named.keys(), (key) => `\`${key}\``).join(' ');
  throw new RulesError('unknown-parameter', `Found ${names} extra named parameter(s) for call to ${name}`, span);
}
