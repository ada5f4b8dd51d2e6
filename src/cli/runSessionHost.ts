import type { Log } from '../base/log';
import { Deferred } from '../base/deferred';
import { ExecServer } from '../execServer/server/execServer';
import { listenOnSocket } from '../execServer/server/socketListener';
import { LocalBackend } from '../process/localBackend';
import type { Terminal } from './subcommand';

/** How long sessions wait for their window: an update of the editor takes a minute on a slow machine. */
export const DETACHED_LIFETIME_MS = 120_000;
/** What a tab or a transcript gets back of a session after a reload: more than a terminal keeps in its scrollback. */
export const RETAINED_BYTES = 8 * 1_024 * 1_024;

export interface SessionHostOptions {
  readonly socket: string;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Serves until no window has been there for a while, or a signal comes. Prints a line when it listens. Returns the exit code. */
export async function runSessionHost({ socket, log, terminal }: SessionHostOptions): Promise<number> {
  const over = new Deferred<string>();
  const backend = new LocalBackend();
  // Before an update of the extension takes the files away.
  backend.prepare();
  const server = new ExecServer({
    backend,
    log,
    limits: {
      detachedLifetimeMs: DETACHED_LIFETIME_MS,
      closedRetentionMs: DETACHED_LIFETIME_MS,
      retainedBytes: RETAINED_BYTES,
    },
    onDidEmpty: () => over.resolve('no window has come back'),
  });
  const listener = await listenOnSocket(server, socket);
  setTimeout(() => {
    if (server.sessionCount === 0) over.resolve('no window has come');
  }, DETACHED_LIFETIME_MS);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => over.resolve(signal));
  // The terminal or editor that it was started from may go away.
  process.on('SIGHUP', () => undefined);
  terminal.stdout.on('error', () => undefined);
  terminal.stdout.write('listening\n');
  log.info(`ending: ${await over.promise}`);
  await server.shutDown();
  listener.close();
  return 0;
}
