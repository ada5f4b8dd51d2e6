import { parseArgs } from 'node:util';
import { createLineLog, LOG_LEVELS, type LogLevel } from '../base/log';
import { readChoice } from './readChoice';
import type { Subcommand } from './subcommand';
import { UsageError } from './usage';

const DEFAULT_LOG_LEVEL: LogLevel = 'warn';

const HELP = `Usage: exec-sessions session-host --socket <path> [options]

Runs the sessions of a VS Code window that outlive its reloads. The window starts it; it ends when no window has come back for
them in two minutes, and ends all that it started.

Options:
  --socket <path>      the socket to listen on, in a folder that nobody else can enter
  --log-level <level>  ${LOG_LEVELS.join(', ')} (default: ${DEFAULT_LOG_LEVEL})
  --help               show this text`;

export const sessionHostCommand: Subcommand = {
  name: 'session-host',
  summary: 'run the sessions of a window that outlive its reloads',
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: { socket: { type: 'string' }, 'log-level': { type: 'string', default: DEFAULT_LOG_LEVEL } },
    });
    if (values.socket === undefined) throw new UsageError('--socket: the path of the socket is missing');
    const logLevel = readChoice('--log-level', 'level', { value: values['log-level'], choices: LOG_LEVELS });
    const log = createLineLog(logLevel, (line) => terminal.stderr.write(`${line}\n`));
    const { runSessionHost } = await import('./runSessionHost');
    return runSessionHost({ socket: values.socket, log, terminal });
  },
};
