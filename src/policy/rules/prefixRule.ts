import { bindParameters, listOf, type ParameterOf, stringOf } from '../starlark/bindParameters';
import { RulesError } from '../starlark/rulesError';
import type { SourceText, Span } from '../starlark/sourceText';
import { type Call, List, typeOf, type Value } from '../starlark/values';
import { readDecision, readJustification } from './commonArguments';
import { exampleWords } from './exampleWords';
import type { PrefixRule } from './rules';

const PARAMETERS: readonly ParameterOf[] = [
  { name: 'pattern', type: 'list', isRequired: true },
  { name: 'decision', type: 'str', isRequired: false },
  { name: 'match', type: 'list', isRequired: false },
  { name: 'not_match', type: 'list', isRequired: false },
  { name: 'justification', type: 'str', isRequired: false },
];

/** A command that a rule is said to apply to, or not. */
export interface Example {
  readonly words: readonly string[];
  /** Where it stands, or the rule it belongs to. */
  readonly span: Span;
}

/** What one `prefix_rule` makes: a rule for each program that its pattern begins with. */
export interface PrefixRules {
  readonly rules: readonly PrefixRule[];
  readonly match: readonly Example[];
  readonly notMatch: readonly Example[];
}

export function readPrefixRule(call: Call, source: SourceText): PrefixRules {
  const values = bindParameters(call, PARAMETERS);
  const decision = readDecision(stringOf(values, 'decision') ?? 'allow', call.span);
  const justification = readJustification(stringOf(values, 'justification'), call.span);
  const [programs, ...rest] = readPattern(listOf(values, 'pattern') ?? [], call.span);
  if (programs === undefined) throw invalidPattern('pattern cannot be empty', call.span);
  const range = source.rangeOf(call.span);
  const heads = typeof programs === 'string' ? [programs] : programs;
  return {
    rules: heads.map((program) => ({ program, rest, decision, justification, range })),
    match: readExamples(values.get('match'), call.span),
    notMatch: readExamples(values.get('not_match'), call.span),
  };
}

function readPattern(elements: readonly Value[], span: Span): (string | readonly string[])[] {
  return elements.map((element) => {
    if (typeof element === 'string') return element;
    if (!(element instanceof List)) {
      throw invalidPattern(`pattern element must be a string or list of strings (got ${typeOf(element)})`, span);
    }
    const alternatives = element.items.map((item) => {
      if (typeof item === 'string') return item;
      throw invalidPattern(`pattern alternative must be a string (got ${typeOf(item)})`, span);
    });
    if (alternatives.length === 0) throw invalidPattern('pattern alternatives cannot be empty', span);
    return alternatives;
  });
}

function invalidPattern(message: string, span: Span): RulesError {
  return new RulesError('invalid-pattern', `invalid pattern element: ${message}`, span);
}

function readExamples(value: Value | undefined, span: Span): Example[] {
  if (!(value instanceof List)) return [];
  const areWritten = value.spans.length === value.items.length;
  return value.items.map((item, place) => ({
    words: readExample(item, span),
    span: (areWritten ? value.spans[place] : undefined) ?? span,
  }));
}

function readExample(example: Value, span: Span): readonly string[] {
  if (typeof example === 'string') {
    const words = exampleWords(example);
    if (words === undefined) throw invalidExample('example string has invalid shell syntax', span);
    if (words.length === 0) throw invalidExample('example cannot be an empty string', span);
    return words;
  }
  if (!(example instanceof List)) {
    throw invalidExample(`example must be a string or list of strings (got ${typeOf(example)})`, span);
  }
  const words = example.items.map((item) => {
    if (typeof item === 'string') return item;
    throw invalidExample(`example tokens must be strings (got ${typeOf(item)})`, span);
  });
  if (words.length === 0) throw invalidExample('example cannot be an empty list', span);
  return words;
}

function invalidExample(message: string, span: Span): RulesError {
  return new RulesError('invalid-example', `invalid example: ${message}`, span);
}
