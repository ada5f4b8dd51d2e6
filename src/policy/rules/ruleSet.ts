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

export interface RulesText {
  /** As it is to be named to people. */
  readonly file: string;
  readonly text: string;
}

/** Reads files of rules, each with what those before it say of host executables. `home` is what `~` stands for. */
export function readRuleSet(texts: readonly RulesText[], home: string): RuleSet {
  const files: RulesFile[] = [];
  const hostExecutables = new Map<string, HostExecutable>();
  for (const { file, text } of texts) {
    const rules = readRules({ file, text, hostExecutables, home });
    files.push(rules);
    for (const executable of rules.hostExecutables) hostExecutables.set(executable.name, executable);
  }
  return { files, prefixRules: files.flatMap(({ prefixRules }) => prefixRules), hostExecutables };
}
