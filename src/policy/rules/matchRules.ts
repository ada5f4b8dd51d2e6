import path from 'node:path';
import type { HostExecutable, PrefixRule } from './rules';

/** A rule that applies to a command. */
export interface RuleMatch {
  readonly rule: PrefixRule;
  /** The words of the command that the rule names. */
  readonly matchedPrefix: readonly string[];
  /** The absolute path of the program, where the rule names only its last part. */
  readonly resolvedProgram?: string;
}

export interface RulesToMatch {
  readonly prefixRules: readonly PrefixRule[];
  readonly hostExecutables: ReadonlyMap<string, HostExecutable>;
  /** The folder that `~` stands for in the program of a command. */
  readonly home: string;
}

/** The rules whose words the command begins with, in their order. */
export function matchExactly(command: readonly string[], rules: readonly PrefixRule[]): RuleMatch[] {
  return rules
    .filter((rule) => applies(rule, command))
    .map((rule) => {
      return { rule, matchedPrefix: command.slice(0, rule.rest.length + 1) };
    });
}

/** The same, but if there is none for the absolute path of a program, those for its name, where it may stand for the path. */
export function matchResolved(command: readonly string[], rules: RulesToMatch): RuleMatch[] {
  const exact = matchExactly(command, rules.prefixRules);
  const [program, ...rest] = command;
  if (exact.length > 0 || program === undefined) return exact;
  const expanded = program === '~' || program.startsWith('~/') ? path.join(rules.home, program.slice(1)) : program;
  if (!path.isAbsolute(expanded)) return [];
  const resolvedProgram = path.normalize(expanded);
  const name = path.basename(resolvedProgram);
  const executable = rules.hostExecutables.get(name);
  if (executable !== undefined && !executable.paths.includes(resolvedProgram)) return [];
  return matchExactly([name, ...rest], rules.prefixRules).map((match) => ({ ...match, resolvedProgram }));
}

function applies({ program, rest }: PrefixRule, command: readonly string[]): boolean {
  if (command.length <= rest.length || command[0] !== program) return false;
  return rest.every((words, place) => {
    const word = command[place + 1] ?? '';
    return typeof words === 'string' ? words === word : words.includes(word);
  });
}
