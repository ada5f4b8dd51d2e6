import { bindParameters, type ParameterOf, stringOf } from './bindParameters';
import { formatBraces } from './formatting';
import { itemsOf } from './iterate';
import { RulesError } from './rulesError';
import { type Call, List, Tuple, type Value } from './values';

type Method = (text: string, call: Call) => Value;

export const stringMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['capitalize', (text, call) => none(call, text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())],
  ['count', (text, call) => BigInt(text.split(given(call)).length - 1)],
  ['endswith', (text, call) => affixes(call).some((affix) => text.endsWith(affix))],
  ['find', (text, call) => BigInt(place(text, text.indexOf(given(call))))],
  ['format', (text, call) => formatBraces(text, call)],
  ['isalnum', (text, call) => none(call, /^[\p{L}\p{N}]+$/u.test(text))],
  ['isalpha', (text, call) => none(call, /^\p{L}+$/u.test(text))],
  ['isdigit', (text, call) => none(call, /^\p{Nd}+$/u.test(text))],
  ['islower', (text, call) => none(call, text !== text.toUpperCase() && text === text.toLowerCase())],
  ['isupper', (text, call) => none(call, text !== text.toLowerCase() && text === text.toUpperCase())],
  ['join', (text, call) => join(text, call)],
  ['lower', (text, call) => none(call, text.toLowerCase())],
  ['lstrip', (text, call) => strip(text, call, { start: true, end: false })],
  ['partition', (text, call) => partition(text, given(call), text.indexOf(given(call)))],
  ['removeprefix', (text, call) => (text.startsWith(given(call)) ? text.slice(given(call).length) : text)],
  ['removesuffix', (text, call) => (text.endsWith(given(call)) ? text.slice(0, text.length - given(call).length) : text)],
  ['replace', (text, call) => replace(text, call)],
  ['rfind', (text, call) => BigInt(place(text, text.lastIndexOf(given(call))))],
  ['rpartition', (text, call) => rpartition(text, given(call))],
  ['rstrip', (text, call) => strip(text, call, { start: false, end: true })],
  ['split', (text, call) => split(text, call)],
  ['splitlines', (text, call) => none(call, listOfStrings(text.replace(/\r?\n$/, '').split(/\r?\n/), call))],
  ['startswith', (text, call) => affixes(call).some((affix) => text.startsWith(affix))],
  ['strip', (text, call) => strip(text, call, { start: true, end: true })],
  [
    'title',
    (text, call) =>
      none(
        call,
        text.toLowerCase().replaceAll(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
      ),
  ],
  ['upper', (text, call) => none(call, text.toUpperCase())],
]);

/** For methods that take no arguments. */
function none(call: Call, value: Value): Value {
  bindParameters(call, []);
  if (typeof value === 'string') call.machine.allocate(value.length, call.span);
  return value;
}

const ONE_STRING: readonly ParameterOf[] = [{ name: 'x', type: 'str', isRequired: true }];

function given(call: Call): string {
  return stringOf(bindParameters(call, ONE_STRING), 'x') ?? '';
}

/** One string, or a tuple of them. */
function affixes(call: Call): readonly string[] {
  const [first] = call.positional;
  return first instanceof Tuple ? first.items.filter((item) => typeof item === 'string') : [given(call)];
}

/** In characters, where `at` counts UTF-16 units. */
function place(text: string, at: number): number {
  return at < 0 ? -1 : Array.from(text.slice(0, at)).length;
}

function join(separator: string, call: Call): Value {
  const values = bindParameters(call, [{ name: 'to_join', type: 'any', isRequired: true }]);
  const words = itemsOf(values.get('to_join') ?? null, call.span).map((item) => {
    if (typeof item === 'string') return item;
    throw new RulesError('type', 'join() takes strings only', call.span);
  });
  call.machine.allocate(
    words.reduce((sum, word) => sum + word.length + separator.length, 0),
    call.span,
  );
  return words.join(separator);
}

function strip(text: string, call: Call, { start, end }: { readonly start: boolean; readonly end: boolean }): Value {
  const values = bindParameters(call, [{ name: 'chars', type: 'str', isRequired: false }]);
  const characters = values.get('chars');
  const isStripped = (character: string): boolean =>
    typeof characters === 'string' ? characters.includes(character) : /\s/.test(character);
  const all = Array.from(text);
  let [from, to] = [0, all.length];
  while (start && from < to && isStripped(all[from] ?? '')) from++;
  while (end && to > from && isStripped(all[to - 1] ?? '')) to--;
  call.machine.allocate(to - from, call.span);
  return all.slice(from, to).join('');
}

function partition(text: string, separator: string, at: number): Value {
  if (at < 0) return new Tuple([text, '', '']);
  return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

function rpartition(text: string, separator: string): Value {
  const at = text.lastIndexOf(separator);
  return at < 0 ? new Tuple(['', '', text]) : partition(text, separator, at);
}

function replace(text: string, call: Call): Value {
  const values = bindParameters(call, [
    { name: 'old', type: 'str', isRequired: true },
    { name: 'new', type: 'str', isRequired: true },
  ]);
  const [old, replacement] = [stringOf(values, 'old') ?? '', stringOf(values, 'new') ?? ''];
  const pieces = text.split(old);
  call.machine.allocate(text.length + pieces.length * replacement.length, call.span);
  return pieces.join(replacement);
}

function split(text: string, call: Call): Value {
  if (call.positional.length === 0 && call.named.size === 0) return listOfStrings(text.match(/\S+/g) ?? [], call);
  const values = bindParameters(call, [
    { name: 'sep', type: 'str', isRequired: true },
    { name: 'maxsplit', type: 'int', isRequired: false },
  ]);
  const separator = stringOf(values, 'sep') ?? '';
  if (separator === '') throw new RulesError('runtime', 'Empty separator cannot be used for splitting', call.span);
  const pieces = text.split(separator);
  const most = Number(values.get('maxsplit') ?? -1);
  if (most < 0 || pieces.length <= most + 1) return listOfStrings(pieces, call);
  return listOfStrings([...pieces.slice(0, most), pieces.slice(most).join(separator)], call);
}

function listOfStrings(words: readonly string[], call: Call): List {
  call.machine.allocate(words.length, call.span);
  return new List([...words]);
}
