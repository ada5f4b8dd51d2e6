import { readRules } from './readRules';
import type { HostExecutable, PrefixRule, RulesFile } from './rules';

/** Files of rules that count together. */
export interface RuleSet {
  readonly files: readonly RulesFile[];
  /** In the order of the files, and in theirs. */
  readonly prefixRules: readonly PrefixRule[];
  /** The last word on each name. */
  readonly hostExecutables: ReadonlyMap<string, HostExecutable>;
}

/** A file of rules before it is read. */
export interface RulesText {
  /** As it is to be named to people. */
  readonly file: string;
  readonly text: string;
  /** Whether it may only make things stricter: what it allows does not count. */
  readonly isOnlyStricter?: boolean;
}

/** A file that there is, but that nobody could read. */
export interface UnreadableRules {
  readonly file: string;
  readonly problem: string;
}

/** Reads files of rules, each with what those before it say of host executables. `home` is what `~` stands for. */
export function readRuleSet(sources: readonly (RulesText | UnreadableRules)[], home: string): RuleSet {
  const files: RulesFile[] = [];
  const prefixRules: PrefixRule[] = [];
  const hostExecutables = new Map<string, HostExecutable>();
  for (const source of sources) {
    if ('problem' in source) {
      files.push(unreadable(source));
      continue;
    }
    const { file, text, isOnlyStricter = false } = source;
    const rules = readRules({ file, text, hostExecutables, home });
    files.push(rules);
    prefixRules.push(...rules.prefixRules.filter(({ decision }) => !isOnlyStricter || decision !== 'allow'));
    // A path in such a list is one that a rule for the bare name may allow.
    if (isOnlyStricter) continue;
    for (const executable of rules.hostExecutables) hostExecutables.set(executable.name, executable);
  }
  return { files, prefixRules, hostExecutables };
}

function unreadable({ file, problem }: UnreadableRules): RulesFile {
  const start = { line: 1, column: 1 };
  const problems = [{ code: 'unreadable', message: problem, range: { file, start, end: start } }] as const;
  return { file, prefixRules: [], hostExecutables: [], networkRules: [], problems };
}
