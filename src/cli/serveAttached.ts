import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../base/log';
import { PendingRequests } from '../attach/pendingRequests';
import { watchEndOfService } from './endOfService';
import type { Terminal } from './subcommand';

/** The window ended the connection in the middle of the work: its sessions cannot be reached any more. */
export const WINDOW_GONE_EXIT_CODE = 4;

/** A window that works takes the last lines of a client in far less. */
const CLOSE_GRACE_MS = 2_000;

const WINDOW_GONE =
  'the VS Code window has ended the connection; start this server again to attach to the window that is open then';

export interface AttachedOptions {
  /** Paused, and ours from here on. */
  readonly socket: Socket;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Passes on what the client and the window say to each other until one of them goes away. Returns the exit code. */
export async function serveAttached({ socket, log, terminal }: AttachedOptions): Promise<number> {
  const { stdin, stdout, stderr } = terminal;
  const pending = new PendingRequests();
  const service = watchEndOfService(terminal, log);
  socket.once('close', () => {
    service.end({ reason: WINDOW_GONE, exitCode: WINDOW_GONE_EXIT_CODE });
  });
  stdin.on('data', (chunk: Buffer) => {
    pending.noteFromClient(chunk);
  });
  socket.on('data', (chunk: Buffer) => {
    pending.noteFromServer(chunk);
  });
  // The output stays open at the end of the socket: it has to take the answers below.
  socket.pipe(stdout, { end: false });
  stdin.pipe(socket);
  const { reason, exitCode } = await service.ended;
  if (exitCode === WINDOW_GONE_EXIT_CODE) {
    stdout.write(pending.answers(WINDOW_GONE));
    stderr.write(`exec-sessions: ${WINDOW_GONE}\n`);
  } else {
    log.info(`ending: ${reason}`);
    await closeInOrder(socket);
  }
  return exitCode;
}

/** Lets the window have what was sent last. */
async function closeInOrder(socket: Socket): Promise<void> {
  socket.end();
  if (!socket.closed) await Promise.race([once(socket, 'close'), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
  socket.destroy();
}
