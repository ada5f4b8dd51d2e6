import { RulesError } from './rulesError';
import { type Place, Tuple, typeOf, type Value } from './values';
import { repr, str } from './words';

/** `template % value`, with `%s`, `%r`, `%d` and `%%`. */
export function formatPercent(template: string, value: Value, { span, machine }: Place): string {
  const values = [...(value instanceof Tuple ? value.items : [value])];
  const text = template.replaceAll(/%(?<how>.?)/gs, (_, how: string) => {
    if (how === '%') return '%';
    if (how !== 's' && how !== 'r' && how !== 'd') throw new RulesError('runtime', `Unknown format \`%${how}\``, span);
    if (values.length === 0) throw new RulesError('runtime', 'Not enough arguments for format string', span);
    const next = values.shift() ?? null;
    if (how === 'd' && typeof next !== 'bigint') {
      throw new RulesError('runtime', `Operation \`format(%d)\` not supported on type \`${typeOf(next)}\``, span);
    }
    return allocated(how === 'r' ? repr(next) : str(next), { span, machine });
  });
  if (values.length > 0) throw new RulesError('runtime', 'Too many arguments for format string', span);
  return allocated(text, { span, machine });
}

interface FormatArguments extends Place {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** `template.format(…)`, with `{}`, `{0}`, `{name}`, and `!r` or `!s` after them. */
export function formatBraces(template: string, { positional, named, ...place }: FormatArguments): string {
  let taken = 0;
  const text = template.replaceAll(/\{\{|\}\}|\{(?<field>[^{}]*)\}|[{}]/g, (brace, field: string | undefined) => {
    if (brace === '{{' || brace === '}}') return brace.charAt(0);
    const { name, how } = /^(?<name>\w*)(?:!(?<how>[rs]))?$/.exec(field ?? '!')?.groups ?? {};
    if (name === undefined) throw new RulesError('runtime', `cannot read \`${brace}\` in the format string`, place.span);
    const value = name === '' ? positional[taken++] : /^\d+$/.test(name) ? positional[Number(name)] : named.get(name);
    if (value === undefined) throw new RulesError('runtime', 'Not enough parameters in format string', place.span);
    return allocated(how === 'r' ? repr(value) : str(value), place);
  });
  return allocated(text, place);
}

function allocated(text: string, { span, machine }: Place): string {
  machine.allocate(text.length, span);
  return text;
}
