import path from 'node:path';
import { matchExactly, type RuleMatch } from './rules/matchRules';
import type { RuleSet } from './rules/ruleSet';
import type { PrefixRule } from './rules/rules';
import { programName } from './shell/dialect';

/**
 * The rules that apply to commands that are about to run. Codex takes words as they are; here, a program can be named in more
 * than one way, and each side errs on the safe one:
 *
 * - A rule that allows counts for the very same words, or for an absolute path that a `host_executable` lists.
 * - A rule that asks or forbids counts for every path that ends in its program's name.
 */
export class ApplicableRules {
  /** In their order, by what the names of their programs have in common. */
  private readonly byName = new Map<string, PrefixRule[]>();

  constructor(private readonly rules: RuleSet) {
    for (const rule of rules.prefixRules) {
      const name = programName(rule.program);
      const sameName = this.byName.get(name);
      if (sameName === undefined) this.byName.set(name, [rule]);
      else sameName.push(rule);
    }
  }

  of(argv: readonly string[]): RuleMatch[] {
    const [program = '', ...rest] = argv;
    return this.named(program).flatMap((rule) => {
      if (!this.isMeant(program, rule)) return [];
      const [match] = matchExactly([rule.program, ...rest], [rule]);
      return match === undefined ? [] : [{ rule, matchedPrefix: argv.slice(0, match.matchedPrefix.length) }];
    });
  }

  /** Whether a rule asks about or forbids a command that has more words after those of `argv`. */
  areStrictAfter(argv: readonly string[]): boolean {
    const [program = '', ...rest] = argv;
    return this.named(program).some((rule) => {
      if (rule.decision === 'allow' || rule.rest.length <= rest.length || !isAlike(program, rule.program)) return false;
      const known = { ...rule, rest: rule.rest.slice(0, rest.length) };
      return matchExactly([rule.program, ...rest], [known]).length > 0;
    });
  }

  private named(program: string): readonly PrefixRule[] {
    return this.byName.get(programName(program)) ?? [];
  }

  private isMeant(program: string, rule: PrefixRule): boolean {
    if (program === rule.program) return true;
    if (rule.decision !== 'allow') return isAlike(program, rule.program);
    const listed = this.rules.hostExecutables.get(rule.program)?.paths ?? [];
    return path.isAbsolute(program) && listed.includes(path.normalize(program));
  }
}

/** Whether both, whose names are the same, may be one program. Two different absolute paths are not. */
function isAlike(program: string, named: string): boolean {
  return !(path.isAbsolute(program) && path.isAbsolute(named)) || path.normalize(program) === path.normalize(named);
}
