import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLineLog, LOG_LEVELS, type LogLevel } from '../base/log';
import { attachToWindow } from '../attach/attachToWindow';
import type { Greeting } from '../attach/greeting';
import { findCodexSource, URL_VARIABLE } from '../environment/codexEnvironment';
import { type EnvironmentConfiguration, LOCAL_ONLY } from '../environment/environmentConfiguration';
import { DEFAULT_SHELL } from '../session/shellCommand';
import { ATTACH_MODES, type AttachMode, NO_WINDOW_EXIT_CODE } from './attachMode';
import { serveAttached, WINDOW_GONE_EXIT_CODE } from './serveAttached';
import { readChoice } from './readChoice';
import type { Subcommand } from './subcommand';
import { UsageError } from './usage';

const DEFAULT_LOG_LEVEL: LogLevel = 'warn';

const DEFAULT_ATTACH_MODE: AttachMode = 'auto';

const HELP = `Usage: exec-sessions mcp [options]

Serves the tools to one MCP client on stdin and stdout. Where a VS Code window with Exec Sessions has the folder open, the
sessions are those of the window: each is a tab there, and lives on when the client has gone. Else it serves without a window, and
ends all that it started at the end of the input or with a signal. Logs go to stderr.

Options:
  --attach <mode>        auto: the window's sessions if there is a window; require: end with exit code ${NO_WINDOW_EXIT_CODE} if there is none;
                         never: without a window (default: ${DEFAULT_ATTACH_MODE}). If the window goes away later, the exit code is ${WINDOW_GONE_EXIT_CODE}
  --environments <file>  other machines that commands may run on, as in Codex's environments.toml (default: that file; without
                         it $${URL_VARIABLE}). A window has its own: this or the variable serves without one
  --server <name>        in place of the tools, an MCP server that the window reaches through an environment
                         (execSessions.mcpServers); needs a window
  --cwd <folder>         where commands start unless they say otherwise (default: the current folder)
  --shell <program>      the shell that runs them unless they say otherwise (default: that of the window, or ${DEFAULT_SHELL})
  --redact-secrets       mask what looks like a key or a token in what the client gets
  --log-level <level>    ${LOG_LEVELS.join(', ')} (default: ${DEFAULT_LOG_LEVEL})
  --help                 show this text`;

export const mcpCommand: Subcommand = {
  name: 'mcp',
  summary: 'serve the tools to an MCP client on stdin and stdout',
  help: HELP,
  run: async (args, terminal) => {
    const { attachMode, logLevel, environmentsFile, server, ...options } = readOptions(args);
    const log = createLineLog(logLevel, (line) => terminal.stderr.write(`${line}\n`));
    const ownEnvironments = nameOwnEnvironments(environmentsFile);
    if (attachMode === 'require' && ownEnvironments !== undefined) {
      throw new UsageError(`--attach require: a window has environments of its own, and does not go by ${ownEnvironments}`);
    }
    if (attachMode !== 'never' && ownEnvironments === undefined) {
      const attachment = await attachToWindow({ ...options, ...serviceOf(server), env: process.env, log });
      if (attachment.kind === 'attached') {
        log.info(`attached to the VS Code window (process ${attachment.windowPid})`);
        return serveAttached({ socket: attachment.socket, log, terminal });
      }
      if (attachMode === 'require') {
        terminal.stderr.write(`exec-sessions: ${attachment.message}\n`);
        return NO_WINDOW_EXIT_CODE;
      }
      const level = attachment.kind === 'refused' ? 'warn' : 'info';
      log[level](`serving without a window. ${attachment.message}`);
    }
    // Loaded only now: all that comes before does without the protocol's many modules.
    const configuration = await readEnvironments(environmentsFile);
    const { serveStdio } = await import('./serveStdio');
    return serveStdio({ ...options, configuration, log, terminal });
  },
};

async function readEnvironments(file: string | undefined): Promise<EnvironmentConfiguration> {
  if (file === undefined && findCodexSource(process.env).kind === 'nothing') return LOCAL_ONLY;
  // What reads a configuration takes a while to load.
  const reader = await import('./readEnvironments');
  return reader.readEnvironments(file, process.env);
}

function serviceOf(server: string | undefined): Pick<Greeting, 'service' | 'server'> {
  return server === undefined ? { service: 'tools' } : { service: 'mcpServer', server };
}

/** What says for this client alone where commands run; in a window they could run elsewhere than it says. */
function nameOwnEnvironments(file: string | undefined): string | undefined {
  if (file !== undefined) return '--environments';
  return findCodexSource(process.env).kind === 'variable' ? URL_VARIABLE : undefined;
}

interface Options {
  /** Absolute. */
  readonly environmentsFile: string | undefined;
  readonly cwd: string;
  readonly shell: string | undefined;
  readonly logLevel: LogLevel;
  readonly isRedacting: boolean;
  readonly attachMode: AttachMode;
  /** The MCP server that is wanted in place of the tools. */
  readonly server: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cwd: { type: 'string' },
      shell: { type: 'string' },
      environments: { type: 'string' },
      server: { type: 'string' },
      attach: { type: 'string' },
      'redact-secrets': { type: 'boolean', default: false },
      'log-level': { type: 'string', default: DEFAULT_LOG_LEVEL },
    },
  });
  const cwd = path.resolve(values.cwd ?? '.');
  if (!isFolder(cwd)) throw new UsageError(`--cwd: ${JSON.stringify(cwd)} is not a folder`);
  return {
    environmentsFile: values.environments === undefined ? undefined : path.resolve(values.environments),
    cwd,
    shell: values.shell,
    isRedacting: values['redact-secrets'],
    attachMode: readAttachMode(values.attach, values.server),
    server: values.server,
    logLevel: readChoice('--log-level', 'level', { value: values['log-level'], choices: LOG_LEVELS }),
  };
}

/** Only a window has servers. */
function readAttachMode(value: string | undefined, server: string | undefined): AttachMode {
  const fallback = server === undefined ? DEFAULT_ATTACH_MODE : 'require';
  const mode = readChoice('--attach', 'mode', { value: value ?? fallback, choices: ATTACH_MODES });
  if (server !== undefined && mode !== 'require')
    throw new UsageError(`--server: with --attach ${mode} there may be no window`);
  return mode;
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
