import path from 'node:path';
import { bindParameters, listOf, type ParameterOf, stringOf } from '../starlark/bindParameters';
import type { SourceText } from '../starlark/sourceText';
import { type Call, typeOf, type Value } from '../starlark/values';
import { invalidRule } from './commonArguments';
import type { HostExecutable } from './rules';

const PARAMETERS: readonly ParameterOf[] = [
  { name: 'name', type: 'str', isRequired: true },
  { name: 'paths', type: 'list', isRequired: true },
];

export function readHostExecutable(call: Call, source: SourceText): HostExecutable {
  const values = bindParameters(call, PARAMETERS);
  const name = stringOf(values, 'name') ?? '';
  if (name === '') throw invalidRule('host_executable name cannot be empty', call.span);
  if (path.basename(name) !== name || name === '.' || name === '..') {
    throw invalidRule(`host_executable name must be a bare executable name (got ${name})`, call.span);
  }
  const paths = (listOf(values, 'paths') ?? []).map((value) => readPath(name, value, call));
  return { name, paths, range: source.rangeOf(call.span) };
}

function readPath(name: string, value: Value, { span }: Call): string {
  if (typeof value !== 'string') throw invalidRule(`host_executable paths must be strings (got ${typeOf(value)})`, span);
  if (!path.isAbsolute(value)) throw invalidRule(`host_executable paths must be absolute (got ${value})`, span);
  const normalized = path.normalize(value);
  if (path.basename(normalized) === name) return normalized;
  throw invalidRule(`host_executable path \`${value}\` must have basename \`${name}\``, span);
}
