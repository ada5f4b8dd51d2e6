import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from '../../../src/policy/rules/checkCommand';
import type { RulesErrorCode } from '../../../src/policy/starlark/rulesError';

/** What `codex execpolicy check` of codex 0.171.0 made of one command and its files of rules. */
export interface RulesCase {
  readonly id: number;
  readonly group: string;
  readonly rules: readonly string[];
  readonly command: readonly string[];
  readonly resolveHostExecutables: boolean;
  readonly result?: CheckResult;
  readonly errorClass?: RulesErrorCode;
  /** What it printed instead of a result. */
  readonly error?: string;
}

/** The home folder in the recorded cases. */
export const GOLDEN_HOME = '/HOME';

export const rulesCases = readLines('rules.jsonl') as readonly RulesCase[];

/** What bash 5.2 really executed for a script, by programs that wrote down their arguments. */
export interface ScriptCase {
  readonly script: string;
  readonly executed: readonly (readonly string[])[];
}

export const scriptCases = readLines('scripts.jsonl') as readonly ScriptCase[];

/** The name that the recorded runs gave to their file of rules. */
export function goldenFileName(place: number): string {
  return `r${place}.rules`;
}

function readLines(name: string): readonly unknown[] {
  const text = readFileSync(path.join(import.meta.dirname, '..', 'golden', name), 'utf8');
  return text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}
