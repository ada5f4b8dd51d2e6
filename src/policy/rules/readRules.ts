import { builtins } from '../starlark/builtins';
import { RulesError } from '../starlark/rulesError';
import { runFile } from '../starlark/runFile';
import { SourceText } from '../starlark/sourceText';
import { type Call, Callable, type Value } from '../starlark/values';
import { checkExamples } from './checkExamples';
import { readHostExecutable } from './hostExecutable';
import { readNetworkRule } from './networkRule';
import { type PrefixRules, readPrefixRule } from './prefixRule';
import type { HostExecutable, NetworkRule, RulesFile, RulesProblem } from './rules';

export interface ReadRulesOptions {
  readonly file: string;
  readonly text: string;
  /** Said by files that are read before this one: examples are looked at with them. */
  readonly hostExecutables?: ReadonlyMap<string, HostExecutable>;
  /** The folder that `~` stands for in examples. */
  readonly home: string;
}

/** Reads a file of rules in the form of Codex (`.rules`). What is wrong in it is told of in the result, never thrown. */
export function readRules({ file, text, hostExecutables = new Map(), home }: ReadRulesOptions): RulesFile {
  const source = new SourceText(file, text);
  const prefixRules: PrefixRules[] = [];
  const ownExecutables: HostExecutable[] = [];
  const networkRules: NetworkRule[] = [];
  const functions: Readonly<Record<string, (call: Call) => unknown>> = {
    prefix_rule: (call) => prefixRules.push(readPrefixRule(call, source)),
    host_executable: (call) => ownExecutables.push(readHostExecutable(call, source)),
    network_rule: (call) => networkRules.push(readNetworkRule(call, source)),
  };
  const problems = problemsOf(() => runFile(text, new Map([...builtins, ...callables(functions)])));
  if (problems.length === 0) {
    const known = {
      home,
      hostExecutables: new Map([...hostExecutables, ...ownExecutables.map((one) => [one.name, one] as const)]),
    };
    problems.push(...prefixRules.flatMap((rules) => checkExamples(rules, known)));
  }
  return {
    file,
    prefixRules: prefixRules.flatMap(({ rules }) => rules),
    hostExecutables: ownExecutables,
    networkRules,
    problems: problems.map((error): RulesProblem => {
      return { code: error.code, message: error.message, range: source.rangeOf(error.span) };
    }),
  };
}

function callables(functions: Readonly<Record<string, (call: Call) => unknown>>): [string, Value][] {
  return Object.entries(functions).map(([name, run]) => {
    const callable = new Callable(name, (call) => {
      run(call);
      return null;
    });
    return [name, callable];
  });
}

function problemsOf(run: () => void): RulesError[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof RulesError) return [error];
    // The limits count what is evaluated, not how deep this program's own stack gets with it.
    if (error instanceof RangeError) return [new RulesError('limit', 'the file is nested too deep', { start: 0, end: 1 })];
    throw error;
  }
}
