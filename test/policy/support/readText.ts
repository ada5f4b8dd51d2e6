import { readRules } from '../../../src/policy/rules/readRules';
import type { RulesFile } from '../../../src/policy/rules/rules';

export function readText(text: string): RulesFile {
  return readRules({ file: 'test.rules', text, home: '/home/user' });
}

/** The first problem of a file, as `code line:column message`. */
export function problemOf(text: string): string | undefined {
  const [problem] = readText(text).problems;
  if (problem === undefined) return undefined;
  const { line, column } = problem.range.start;
  return `${problem.code} ${line}:${column} ${problem.message}`;
}
