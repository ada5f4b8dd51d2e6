import { type Decision, strictest } from './decision';
import { matchExactly, matchResolved, type RuleMatch } from './matchRules';
import type { RuleSet } from './ruleSet';

/** What `codex execpolicy check` prints. */
export interface CheckResult {
  readonly matchedRules: readonly { readonly prefixRuleMatch: PrefixRuleMatch }[];
  /** Absent if no rule applies. */
  readonly decision?: Decision;
}

interface PrefixRuleMatch {
  readonly matchedPrefix: readonly string[];
  readonly decision: Decision;
  readonly resolvedProgram?: string;
  readonly justification?: string;
}

export interface CheckOptions {
  /** Whether rules for a bare name count for absolute paths too. */
  readonly resolvesHostExecutables: boolean;
  readonly home: string;
}

/** What the rules say of the words of one command, taken as they are: nothing in them is looked through. */
export function checkCommand(command: readonly string[], rules: RuleSet, options: CheckOptions): CheckResult {
  const matches = options.resolvesHostExecutables
    ? matchResolved(command, { ...rules, home: options.home })
    : matchExactly(command, rules.prefixRules);
  const decision = strictest(matches.map(({ rule }) => rule.decision));
  return {
    matchedRules: matches.map((match) => ({ prefixRuleMatch: shown(match) })),
    ...(decision !== undefined && { decision }),
  };
}

function shown({ rule, matchedPrefix, resolvedProgram }: RuleMatch): PrefixRuleMatch {
  const { decision, justification } = rule;
  return {
    matchedPrefix,
    decision,
    ...(resolvedProgram !== undefined && { resolvedProgram }),
    ...(justification !== undefined && { justification }),
  };
}
