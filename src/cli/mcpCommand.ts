import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLineLog, LOG_LEVELS, type LogLevel } from '../base/log';
import { DEFAULT_SHELL } from '../session/shellCommand';
import type { Subcommand } from './subcommand';
import { UsageError } from './usage';

const DEFAULT_LOG_LEVEL: LogLevel = 'warn';

const HELP = `Usage: exec-sessions mcp [options]

Serves the tools to one MCP client on stdin and stdout. Ends at the end of the input or with a signal, and ends all that it
started. Logs go to stderr.

Options:
  --cwd <folder>       where commands start unless they say otherwise (default: the current folder)
  --shell <program>    the shell that runs them unless they say otherwise (default: ${DEFAULT_SHELL})
  --redact-secrets     mask what looks like a key or a token in what the client gets
  --log-level <level>  ${LOG_LEVELS.join(', ')} (default: ${DEFAULT_LOG_LEVEL})
  --help               show this text`;

export const mcpCommand: Subcommand = {
  name: 'mcp',
  summary: 'serve the tools to an MCP client on stdin and stdout',
  help: HELP,
  run: async (args, terminal) => {
    const options = readOptions(args);
    const log = createLineLog(options.logLevel, (line) => terminal.stderr.write(`${line}\n`));
    // Loaded only now: help, version and mistakes are answered without the protocol's many modules.
    const { serveStdio } = await import('./serveStdio');
    return serveStdio({ ...options, log, terminal });
  },
};

interface Options {
  readonly cwd: string;
  readonly shell: string | undefined;
  readonly logLevel: LogLevel;
  readonly isRedacting: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cwd: { type: 'string' },
      shell: { type: 'string' },
      'redact-secrets': { type: 'boolean', default: false },
      'log-level': { type: 'string', default: DEFAULT_LOG_LEVEL },
    },
  });
  const cwd = path.resolve(values.cwd ?? '.');
  if (!isFolder(cwd)) throw new UsageError(`--cwd: ${JSON.stringify(cwd)} is not a folder`);
  const logLevel = LOG_LEVELS.find((level) => level === values['log-level']);
  if (logLevel === undefined) {
    throw new UsageError(
      `--log-level: unknown level ${JSON.stringify(values['log-level'])}; choose one of ${LOG_LEVELS.join(', ')}`,
    );
  }
  return { cwd, shell: values.shell, logLevel, isRedacting: values['redact-secrets'] };
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
