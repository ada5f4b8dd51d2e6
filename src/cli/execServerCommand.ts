import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Attachment, attachToWindow } from '../attach/attachToWindow';
import { createLineLog, LOG_LEVELS, type LogLevel } from '../base/log';
import { messageOf } from '../base/messageOf';
import { DEFAULT_CONCURRENT_REQUESTS } from '../execServer/server/limits';
import { ATTACH_MODES, type AttachMode, NO_WINDOW_EXIT_CODE } from './attachMode';
import { readChoice } from './readChoice';
import type { ListenAddress, RunExecServerOptions, TokenOption } from './runExecServer';
import type { Subcommand } from './subcommand';
import { UsageError } from './usage';

const DEFAULT_LISTEN = 'ws://127.0.0.1:0';
const DEFAULT_LOG_LEVEL: LogLevel = 'warn';
const DEFAULT_ATTACH_MODE: AttachMode = 'never';
const AUTH_METHODS = ['capability-token'] as const;
const SHA256_HEX = /^[0-9a-f]{64}$/i;

/** What a window is told of a client that brings its shell and variables along, and gets what programs print as it is. */
const WINDOW_DEFAULTS = { service: 'execServer', shell: undefined, isRedacting: false } as const;

const HELP = `Usage: exec-sessions exec-server [options]

Runs programs on this machine for clients elsewhere, such as Codex, by the protocol of \`codex exec-server\`. Ends with a signal, or
with stdio at the end of the input, and ends all that it started. Logs go to stderr.

With \`--attach\`, what a client on stdio starts are sessions of the VS Code window that has the current folder open: each is a tab
there, in which a person may type.

Options:
  --attach <mode>               with --listen stdio; auto: in the window if there is one; require: end with exit code ${NO_WINDOW_EXIT_CODE} if there
                                is none; never: without a window (default: ${DEFAULT_ATTACH_MODE}). If the window goes away later, what ran
                                there is lost, and the next request goes to the one that is open then
  --listen <where>              ws://IP:PORT (prints the address with the port that it got) or stdio (default: ${DEFAULT_LISTEN})
  --ws-auth <method>            what clients have to show: ${AUTH_METHODS.join(', ')} (default: nothing; loopback addresses only)
  --ws-token-file <file>        with capability-token: the file that holds the token
  --ws-token-sha256 <hex>       with capability-token: the SHA-256 of the token instead
  --concurrent-requests <n>     requests of one client that may be in work at once (default: ${DEFAULT_CONCURRENT_REQUESTS})
  --log-level <level>           ${LOG_LEVELS.join(', ')} (default: ${DEFAULT_LOG_LEVEL})
  --help                        show this text`;

type Options = Omit<RunExecServerOptions, 'log' | 'terminal'> & {
  readonly logLevel: LogLevel;
  readonly attachMode: AttachMode;
};

export const execServerCommand: Subcommand = {
  name: 'exec-server',
  summary: 'run programs for clients elsewhere, such as Codex',
  help: HELP,
  run: async (args, terminal) => {
    const { logLevel, attachMode, ...options } = readOptions(args);
    const log = createLineLog(logLevel, (line) => terminal.stderr.write(`${line}\n`));
    if (attachMode !== 'never') {
      const attach = (): Promise<Attachment> =>
        attachToWindow({ ...WINDOW_DEFAULTS, cwd: process.cwd(), env: process.env, log });
      const attachment = await attach();
      if (attachment.kind === 'attached') {
        const { serveAttachedExecServer } = await import('./serveAttachedExecServer');
        return serveAttachedExecServer({ attached: attachment, attach, log, terminal });
      }
      if (attachMode === 'require') {
        terminal.stderr.write(`exec-sessions: ${attachment.message}\n`);
        return NO_WINDOW_EXIT_CODE;
      }
      log.warn(`serving without a window. ${attachment.message}`);
    }
    // Loaded only now: help, version and mistakes are answered without it.
    const { runExecServer } = await import('./runExecServer');
    return runExecServer({ ...options, log, terminal });
  },
};

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      attach: { type: 'string', default: DEFAULT_ATTACH_MODE },
      listen: { type: 'string', default: DEFAULT_LISTEN },
      'ws-auth': { type: 'string' },
      'ws-token-file': { type: 'string' },
      'ws-token-sha256': { type: 'string' },
      'concurrent-requests': { type: 'string' },
      'log-level': { type: 'string', default: DEFAULT_LOG_LEVEL },
    },
  });
  const listen = readListen(values.listen);
  const token = readToken({
    method: values['ws-auth'],
    file: values['ws-token-file'],
    sha256: values['ws-token-sha256'],
  });
  if (listen.kind === 'webSocket' && token === undefined && !isLoopback(listen.host)) {
    throw new UsageError(
      `--listen: ${listen.host} can be reached from other machines; ask clients for a token (--ws-auth capability-token), or listen on 127.0.0.1`,
    );
  }
  const attachMode = readChoice('--attach', 'mode', { value: values.attach, choices: ATTACH_MODES });
  if (attachMode !== 'never' && listen.kind !== 'stdio') {
    throw new UsageError('--attach: a window is shared with one client on stdio; add --listen stdio');
  }
  const logLevel = readChoice('--log-level', 'level', { value: values['log-level'], choices: LOG_LEVELS });
  const concurrentRequests = readCount(values['concurrent-requests']);
  return { listen, token, concurrentRequests, logLevel, attachMode };
}

function readListen(text: string): ListenAddress {
  if (text === 'stdio' || text === 'stdio://') return { kind: 'stdio' };
  const match = /^ws:\/\/(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>[^:/]+)):(?<port>\d{1,5})\/?$/.exec(text)?.groups;
  const host = match?.['ipv6'] ?? match?.['ipv4'] ?? '';
  const port = Number(match?.['port']);
  if (isIP(host) === 0 || port > 65_535) {
    throw new UsageError(`--listen: ${JSON.stringify(text)} is neither ws://IP:PORT nor stdio`);
  }
  return { kind: 'webSocket', host, port };
}

function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}

interface TokenOptions {
  readonly method: string | undefined;
  readonly file: string | undefined;
  readonly sha256: string | undefined;
}

function readToken({ method, file, sha256 }: TokenOptions): TokenOption | undefined {
  if (method === undefined) {
    if (file !== undefined || sha256 !== undefined) {
      throw new UsageError('--ws-token-file and --ws-token-sha256 need --ws-auth capability-token');
    }
    return undefined;
  }
  readChoice('--ws-auth', 'method', { value: method, choices: AUTH_METHODS });
  if ((file === undefined) === (sha256 === undefined)) {
    throw new UsageError('--ws-auth capability-token needs one of --ws-token-file and --ws-token-sha256');
  }
  if (file !== undefined) return { text: readTokenFile(file) };
  if (sha256 === undefined || !SHA256_HEX.test(sha256)) {
    throw new UsageError('--ws-token-sha256: give 64 hexadecimal digits');
  }
  return { sha256 };
}

function readTokenFile(file: string): string {
  if (!path.isAbsolute(file)) throw new UsageError(`--ws-token-file: ${JSON.stringify(file)} is not an absolute path`);
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--ws-token-file: ${messageOf(error)}`);
  }
  if (token === '') throw new UsageError(`--ws-token-file: ${JSON.stringify(file)} is empty`);
  return token;
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`--concurrent-requests: ${JSON.stringify(text)} is not a whole number from 1`);
  }
  return count;
}
