import { homedir } from 'node:os';
import { ExecPolicy } from '../policy/execPolicy';
import { checkCommand } from '../policy/rules/checkCommand';
import { readRuleSet } from '../policy/rules/ruleSet';
import { findRules, readRulesText } from '../policy/ruleSources';
import type { Terminal } from './subcommand';

export interface CheckPolicyOptions {
  readonly command: readonly string[];
  /** Files of rules. If there is none, those that are found. */
  readonly rules: readonly string[];
  readonly isPretty: boolean;
  readonly resolvesHostExecutables: boolean;
  readonly isWorkspaceTrusted: boolean;
  readonly unmatched: 'allow' | 'prompt';
}

/** The exit code for rules that cannot be read, where they were asked for by name. */
const BAD_RULES_EXIT_CODE = 1;

/** Prints what the rules make of a command. */
export async function checkPolicy(options: CheckPolicyOptions, { stdout, stderr }: Terminal): Promise<number> {
  const { command, resolvesHostExecutables, unmatched } = options;
  const home = homedir();
  const rules = readRuleSet(await sourcesOf(options, home), home);
  const problems = rules.files.flatMap((file) => file.problems);
  if (options.rules.length > 0 && problems.length > 0) {
    for (const { code, message, range } of problems) {
      stderr.write(`${range.file}:${range.start.line}:${range.start.column}: ${code}: ${message}\n`);
    }
    return BAD_RULES_EXIT_CODE;
  }
  const result = {
    ...checkCommand(command, rules, { resolvesHostExecutables, home }),
    verdict: new ExecPolicy({ rules, unmatched }).decide({ argv: command }),
  };
  stdout.write(`${JSON.stringify(result, undefined, options.isPretty ? 2 : undefined)}\n`);
  return 0;
}

async function sourcesOf({ rules, isWorkspaceTrusted }: CheckPolicyOptions, home: string): ReturnType<typeof findRules> {
  if (rules.length > 0) return Promise.all(rules.map(readRulesText));
  return findRules({ home, env: process.env, workspaceFolders: [process.cwd()], isWorkspaceTrusted });
}
