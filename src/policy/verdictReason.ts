import type { RulesProblem } from './rules/rules';
import type { SourceRange } from './starlark/sourceText';
import type { Verdict, VerdictPart } from './verdict';

/** Characters of a command that a sentence shows. */
const MAX_SHOWN_CHARACTERS = 100;

/** Why a verdict is what it is, beginning with what weighs most. */
export function reasonOf({ decision, parts, obstacles, problems }: Omit<Verdict, 'reason'>): string {
  const decisive = parts.filter((part) => part.decision === decision);
  const byRule = decisive.find(({ matchedRules }) => matchedRules.length > 0);
  if (decision === 'forbidden') return byRule === undefined ? 'a rule forbids it' : ruleReason(byRule, 'is forbidden');
  const [problem] = problems;
  const [obstacle] = obstacles;
  if (decision === 'prompt') {
    if (problem !== undefined) return problemReason(problem);
    if (byRule !== undefined) return ruleReason(byRule, 'needs to be approved');
    if (obstacle !== undefined) return `it cannot be judged by its parts: ${obstacle}`;
    const [unmatched] = decisive;
    return unmatched === undefined ? 'no rule allows it' : `no rule allows ${quoted(unmatched.command)}`;
  }
  return byRule === undefined ? 'no rule asks for it or forbids it' : ruleReason(byRule, 'is allowed');
}

function ruleReason({ command, matchedRules, decision }: VerdictPart, what: string): string {
  const rule = matchedRules.find((one) => one.decision === decision) ?? matchedRules[0];
  if (rule === undefined) return `${quoted(command)} ${what}`;
  const why = rule.justification === undefined ? '' : `: ${rule.justification}`;
  return `${quoted(command)} ${what} by a rule (${nameOf(rule.range)})${why}`;
}

function problemReason({ range, message }: RulesProblem): string {
  return `a file of rules has an error, so everything needs to be approved (${nameOf(range)}: ${message})`;
}

/** As `file:line:column`, which terminals and editors make a link of. */
function nameOf({ file, start }: SourceRange): string {
  return `${file}:${start.line}:${start.column}`;
}

function quoted(command: readonly string[]): string {
  const text = command.map((word) => (/^[\w./:@%+,=-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  return `\`${text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text}\``;
}
