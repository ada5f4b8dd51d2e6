import type { Decision } from './rules/decision';
import type { RulesProblem } from './rules/rules';
import type { SourceRange } from './starlark/sourceText';

/** A rule that applies to a command, in a form that can be shown and sent. */
export interface MatchedRule {
  readonly decision: Decision;
  /** The words of the command that the rule names. */
  readonly matchedPrefix: readonly string[];
  /** Absent if the rule gives none. */
  readonly justification?: string;
  /** Where the rule stands. */
  readonly range: SourceRange;
}

/** One command among those that a command line runs. */
export interface VerdictPart {
  /** Its words, up to the first that is known only when it runs. */
  readonly command: readonly string[];
  /** Absent if nothing need be said of it, such as of `nohup`, whose command is a part of its own. */
  readonly decision?: Decision;
  readonly matchedRules: readonly MatchedRule[];
}

/** Whether a command may run, and why. */
export interface Verdict {
  readonly decision: Decision;
  /** One sentence for people and models, without a full stop. */
  readonly reason: string;
  readonly parts: readonly VerdictPart[];
  /** Of all parts, each once. */
  readonly matchedRules: readonly MatchedRule[];
  /** What kept the command line from being judged by its parts alone. */
  readonly obstacles: readonly string[];
  /** What is wrong with the files of rules. */
  readonly problems: readonly RulesProblem[];
}
