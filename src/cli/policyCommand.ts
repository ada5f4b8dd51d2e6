import { parseArgs } from 'node:util';
import type { CheckPolicyOptions } from './checkPolicy';
import { readChoice } from './readChoice';
import type { Subcommand } from './subcommand';
import { UsageError } from './usage';

const UNMATCHED = ['allow', 'prompt'] as const;

const HELP = `Usage: exec-sessions policy check [options] -- COMMAND...

Says what the rules make of a command: whether it may run, needs to be approved, or is forbidden, by which rules, and why. Nothing is
run. The output is JSON: what \`codex execpolicy check\` prints, and in "verdict" what is said of the command and of those in it.

Without --rules, the rules are those of all *.rules in ~/.codex/rules (or $CODEX_HOME/rules), ~/.config/exec-sessions/rules, and
.codex/rules and .exec-sessions/rules of the current folder. What rules of the current folder allow does not count.

Options:
  --rules <file>               the rules of this file instead; may be given more than once. With an error in one, the exit code is 1
  --pretty                     on several lines
  --resolve-host-executables   as in Codex: "matchedRules" has rules for a program's name also for its absolute path
  --trust-workspace            what rules of the current folder allow counts too
  --unmatched <decision>       the verdict on commands that no rule names: ${UNMATCHED.join(', ')} (default: ${UNMATCHED[0]})
  --help                       show this text`;

export const policyCommand: Subcommand = {
  name: 'policy',
  summary: 'say what the rules make of a command',
  help: HELP,
  run: async (args, terminal) => {
    const options = readOptions(args);
    // Loaded only now: help, version and mistakes are answered without it.
    const { checkPolicy } = await import('./checkPolicy');
    return checkPolicy(options, terminal);
  },
};

function readOptions(args: readonly string[]): CheckPolicyOptions {
  const end = args.indexOf('--');
  const { values, positionals } = parseArgs({
    args: args.slice(0, end < 0 ? args.length : end),
    allowPositionals: true,
    options: {
      rules: { type: 'string', multiple: true, default: [] },
      pretty: { type: 'boolean', default: false },
      'resolve-host-executables': { type: 'boolean', default: false },
      'trust-workspace': { type: 'boolean', default: false },
      unmatched: { type: 'string', default: UNMATCHED[0] },
    },
  });
  const [action, ...rest] = positionals;
  if (action !== 'check') {
    throw new UsageError(
      `policy: ${action === undefined ? 'an action is missing' : `unknown action '${action}'`}; it can check`,
    );
  }
  const command = end < 0 ? [] : args.slice(end + 1);
  if (rest.length > 0 || command.length === 0) throw new UsageError('policy check: give the command after --');
  return {
    command,
    rules: values.rules,
    isPretty: values.pretty,
    resolvesHostExecutables: values['resolve-host-executables'],
    isWorkspaceTrusted: values['trust-workspace'],
    unmatched: readChoice('--unmatched', 'decision', { value: values.unmatched, choices: UNMATCHED }),
  };
}
