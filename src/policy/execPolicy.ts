import { ApplicableRules } from './applicableRules';
import { type Decision, isStricter, strictest } from './rules/decision';
import type { RuleMatch } from './rules/matchRules';
import type { RuleSet } from './rules/ruleSet';
import { type CommandPart, type CommandParts, type PartObstacle, partsOfCommand, partsOfLine } from './shell/commandParts';
import { dialectOf } from './shell/dialect';
import type { MatchedRule, Verdict, VerdictPart } from './verdict';
import { reasonOf } from './verdictReason';

/** What somebody wants to run: the words of a program's command, or a line for a shell, named by its path or name. */
export type PolicyRequest = { readonly argv: readonly string[] } | { readonly commandLine: string; readonly shell: string };

export interface ExecPolicyOptions {
  readonly rules: RuleSet;
  /** For commands that no rule applies to. */
  readonly unmatched: 'allow' | 'prompt';
}

/** Says of commands whether they may run. The same for every way that a command can come in. */
export class ExecPolicy {
  /** What the strictest of all rules says: where none asks or forbids, no command has anything to hide from. */
  private readonly strictestRule: Decision;
  private readonly applicable: ApplicableRules;

  constructor(private readonly options: ExecPolicyOptions) {
    const { rules, unmatched } = options;
    this.applicable = new ApplicableRules(rules);
    this.strictestRule = strictest([unmatched, ...rules.prefixRules.map(({ decision }) => decision)]) ?? unmatched;
  }

  decide(request: PolicyRequest): Verdict {
    const { parts, obstacles } = partsOf(request);
    const judged = parts.flatMap((part) => this.judge(part, false));
    const problems = this.options.rules.files.flatMap((file) => file.problems);
    const allObstacles = [
      ...obstacles.map((what) => `the command line has ${what}`),
      ...judged.flatMap((part) => part.obstacles.map(({ what }) => `a command ${what}`)),
    ];
    const decisions = judged.flatMap(({ verdict }) => verdict.decision ?? []);
    const mustAsk = problems.length > 0 || (allObstacles.length > 0 && isStricter(this.strictestRule, 'allow'));
    const decision = strictest([...decisions, mustAsk ? 'prompt' : 'allow']) ?? 'allow';
    const findings = {
      parts: judged.map((part) => part.verdict),
      matchedRules: unique(judged.flatMap((part) => part.verdict.matchedRules)),
      obstacles: [...new Set(allObstacles)],
      problems,
    };
    return { decision, reason: reasonOf({ decision, ...findings }), ...findings };
  }

  /** A part and those within it. `isSpokenFor`: a rule that allows what is around it names it. */
  private judge(part: CommandPart, isSpokenFor: boolean): JudgedPart[] {
    const matches = this.applicable.of(part.argv);
    const byRules = strictest(matches.map(({ rule }) => rule.decision));
    const isSilent = part.isTransparent || isSpokenFor || part.argv.length === 0;
    const decision = byRules ?? (isSilent ? undefined : this.options.unmatched);
    const allowedWords = byRules === 'allow' ? Math.max(...matches.map(({ matchedPrefix }) => matchedPrefix.length)) : 0;
    const verdict: VerdictPart = {
      command: part.argv,
      ...(decision !== undefined && { decision }),
      matchedRules: matches.map(shown),
    };
    const obstacles = part.obstacles.filter((obstacle) => !this.isLifted(obstacle, part, allowedWords));
    const isInnerSpokenFor = part.inner.length > 0 && allowedWords >= part.innerCoveredByWords;
    return [{ verdict, obstacles }, ...part.inner.flatMap((inner) => this.judge(inner, isInnerSpokenFor))];
  }

  /** Not where words that are added to a command within may make it one that a rule asks for or forbids. */
  private isLifted({ liftedByWords }: PartObstacle, { inner }: CommandPart, allowedWords: number): boolean {
    if (liftedByWords === undefined || allowedWords < liftedByWords) return false;
    return !inner.some(({ argv }) => this.applicable.areStrictAfter(argv));
  }
}

interface JudgedPart {
  readonly verdict: VerdictPart;
  readonly obstacles: readonly PartObstacle[];
}

function partsOf(request: PolicyRequest): CommandParts {
  if ('argv' in request) return partsOfCommand(request.argv);
  return partsOfLine(request.commandLine, dialectOf(request.shell) ?? 'other');
}

function shown({ rule, matchedPrefix }: RuleMatch): MatchedRule {
  const { decision, justification, range } = rule;
  return { decision, matchedPrefix, ...(justification !== undefined && { justification }), range };
}

function unique(rules: readonly MatchedRule[]): MatchedRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
