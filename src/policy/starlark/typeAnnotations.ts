import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import type { Expression } from './syntaxTree';
import { typeOf, type Value } from './values';
import { repr } from './words';

/** Types that can be asked for by name alone. Whatever else an annotation says is not checked. */
const TYPES: Readonly<Record<string, string>> = {
  None: 'NoneType',
  bool: 'bool',
  dict: 'dict',
  float: 'float',
  int: 'int',
  list: 'list',
  str: 'string',
  tuple: 'tuple',
};

/** Throws a `RulesError` at `span` if the value is not of the type that stands in the file. */
export function checkAnnotation(value: Value, type: Expression | undefined, span: Span): void {
  if (type?.kind !== 'name') return;
  const expected = Object.hasOwn(TYPES, type.name) ? TYPES[type.name] : undefined;
  const actual = typeOf(value);
  if (expected === undefined || expected === actual) return;
  const message = `Value \`${repr(value)}\` of type \`${actual}\` does not match the type annotation \`${type.name}\``;
  throw new RulesError('runtime', message, span);
}
