import path from 'node:path';
import { matchExactly, type RuleMatch } from './rules/matchRules';
import type { RuleSet } from './rules/ruleSet';
import type { PrefixRule } from './rules/rules';
import { programName } from './shell/dialect';

/**
 * The rules that apply to a command that is about to run. Codex takes words as they are; here, a program can be named in more
 * than one way, and each side errs on the safe one:
 *
 * - A rule that allows counts for the very same words, or for an absolute path that a `host_executable` lists.
 * - A rule that asks or forbids counts for every path that ends in its program's name.
 */
export function applicableRules(argv: readonly string[], rules: RuleSet): RuleMatch[] {
  const [program = '', ...rest] = argv;
  const exact = new Set(matchExactly(argv, rules.prefixRules).map(({ rule }) => rule));
  return rules.prefixRules.flatMap((rule): RuleMatch[] => {
    const isSame =
      exact.has(rule) || (rule.decision === 'allow' ? isListed(program, rule, rules) : isAlike(program, rule.program));
    if (!isSame) return [];
    const [match] = matchExactly([rule.program, ...rest], [rule]);
    return match === undefined ? [] : [{ rule, matchedPrefix: argv.slice(0, match.matchedPrefix.length) }];
  });
}

/** Rules that ask or forbid, and would apply if more words came after those of `argv`. */
export function rulesOfLongerCommands(argv: readonly string[], rules: RuleSet): PrefixRule[] {
  const [program = ''] = argv;
  return rules.prefixRules.filter((rule) => {
    if (rule.decision === 'allow' || rule.rest.length < argv.length || !isAlike(program, rule.program)) return false;
    const known = { ...rule, program, rest: rule.rest.slice(0, argv.length - 1) };
    return matchExactly(argv, [known]).length > 0;
  });
}

function isListed(program: string, rule: PrefixRule, { hostExecutables }: RuleSet): boolean {
  if (!path.isAbsolute(program)) return false;
  return hostExecutables.get(rule.program)?.paths.includes(path.normalize(program)) ?? false;
}

/** Whether both may be one program. Two different absolute paths are not. */
function isAlike(program: string, named: string): boolean {
  if (programName(program) !== programName(named)) return false;
  return !(path.isAbsolute(program) && path.isAbsolute(named)) || path.normalize(program) === path.normalize(named);
}
