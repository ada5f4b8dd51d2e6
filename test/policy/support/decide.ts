import { ExecPolicy } from '../../../src/policy/execPolicy';
import { readRuleSet } from '../../../src/policy/rules/ruleSet';
import type { CommandPart } from '../../../src/policy/shell/commandParts';
import { partsOfLine } from '../../../src/policy/shell/commandParts';
import { dialectOf } from '../../../src/policy/shell/dialect';
import type { Verdict } from '../../../src/policy/verdict';

export interface DecideOptions {
  readonly rules: string;
  readonly unmatched?: 'allow' | 'prompt';
  readonly shell?: string;
}

export function policyOf({ rules, unmatched = 'allow' }: DecideOptions): ExecPolicy {
  return new ExecPolicy({ rules: readRuleSet([{ file: 'test.rules', text: rules }], '/home/user'), unmatched });
}

/** What is said of a line for bash, or for another shell. */
export function decideLine(commandLine: string, options: DecideOptions): Verdict {
  return policyOf(options).decide({ commandLine, shell: options.shell ?? '/bin/bash' });
}

/** The commands of a line that a shell would run, and those within them, or undefined if it is not plain. */
export function plainCommands(line: string, shell = 'bash'): readonly (readonly string[])[] | undefined {
  const { parts, obstacles } = partsOfLine(line, dialectOf(shell) ?? 'other');
  const all = parts.flatMap(withInner);
  return obstacles.length > 0 || all.some((part) => part.obstacles.length > 0) ? undefined : all.map(({ argv }) => argv);
}

function withInner(part: CommandPart): CommandPart[] {
  return [part, ...part.inner.flatMap(withInner)];
}
