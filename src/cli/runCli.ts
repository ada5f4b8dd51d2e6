import { description, name as program, version } from '../../package.json';
import { execServerCommand } from './execServerCommand';
import { mcpCommand } from './mcpCommand';
import { policyCommand } from './policyCommand';
import { sessionHostCommand } from './sessionHostCommand';
import type { Subcommand, Terminal } from './subcommand';
import { USAGE_EXIT_CODE, UsageError } from './usage';

const subcommands: readonly Subcommand[] = [mcpCommand, execServerCommand, policyCommand, sessionHostCommand];

const HELP = `Usage: ${program} <subcommand> [options]

${description}

Subcommands:
${subcommands.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

Options:
  --help     show this text, or the help of the subcommand before it
  --version  show the version`;

/** Runs one command line (without the program's name) and returns the exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    terminal.stderr.write(`${program}: ${error.message}. Try ${program} --help\n`);
    return USAGE_EXIT_CODE;
  }
}

async function dispatch([first, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (first === undefined) throw new UsageError('a subcommand is missing');
  if (first === '--version') return print(version, terminal);
  if (first === '--help') return print(HELP, terminal);
  const subcommand = subcommands.find(({ name }) => name === first);
  if (subcommand === undefined) {
    const kind = first.startsWith('-') ? 'option' : 'subcommand';
    throw new UsageError(
      `unknown ${kind} '${first}'; the subcommands are ${subcommands.map(({ name }) => name).join(', ')}`,
    );
  }
  // What comes after `--` belongs to a command that is not ours.
  if (untilDashes(rest).includes('--help')) return print(subcommand.help, terminal);
  return subcommand.run(rest, terminal);
}

function untilDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function print(text: string, { stdout }: Terminal): number {
  stdout.write(`${text}\n`);
  return 0;
}

/** Ours, or what `parseArgs` throws for an option that it does not know. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
