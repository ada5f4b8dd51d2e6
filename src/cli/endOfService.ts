import { constants } from 'node:os';
import { Deferred } from '../base/deferred';
import type { Log } from '../base/log';
import type { Terminal } from './subcommand';

export interface End {
  readonly reason: string;
  readonly exitCode: number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell reports for a program that a signal ended is this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

export interface EndOfService {
  /**
   * Resolves when there is nobody left to serve, or the server must not go on. What comes first counts; what comes later, such
   * as a second signal, does not cut the orderly end short.
   */
  readonly ended: Promise<End>;
  end(end: End): void;
}

/** Service ends with its client, with a signal, with an internal error, or when `end` is called. */
export function watchEndOfService({ stdin, stdout }: Terminal, log: Log): EndOfService {
  const { promise: ended, resolve: end } = new Deferred<End>();
  const endWith =
    (reason: string, exitCode = 0) =>
    (): void => {
      end({ reason, exitCode });
    };
  stdin.on('end', endWith('end of input'));
  stdin.on('close', endWith('the input was closed'));
  // EPIPE: the client has gone.
  stdout.on('error', endWith('the output was closed'));
  for (const signal of SIGNALS) process.on(signal, endWith(signal, SIGNAL_EXIT_BASE + constants.signals[signal]));
  process.on('uncaughtException', (error) => {
    log.error('internal error', error);
    end({ reason: 'an internal error', exitCode: 1 });
  });
  return { ended, end };
}
