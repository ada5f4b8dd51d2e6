import { constants } from 'node:os';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Log } from '../base/log';
import type { Terminal } from './subcommand';

export interface End {
  readonly reason: string;
  readonly exitCode: number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell reports for a program that a signal ended is this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

/**
 * Resolves when there is nobody left to serve, or the server must not go on. What comes first counts; what comes later, such as
 * a second signal, does not cut the orderly end short.
 */
export function endOfService({ stdin, stdout }: Terminal, transport: Transport, log: Log): Promise<End> {
  return new Promise((resolve) => {
    const end =
      (reason: string, exitCode = 0) =>
      (): void => {
        resolve({ reason, exitCode });
      };
    stdin.on('end', end('end of input'));
    stdin.on('close', end('the input was closed'));
    // EPIPE: the client has gone.
    stdout.on('error', end('the output was closed'));
    // Nobody asked for it: the client broke the protocol.
    transport.onclose = end('the connection was closed', 1);
    for (const signal of SIGNALS) process.on(signal, end(signal, SIGNAL_EXIT_BASE + constants.signals[signal]));
    process.on('uncaughtException', (error) => {
      log.error('internal error', error);
      resolve({ reason: 'an internal error', exitCode: 1 });
    });
  });
}
