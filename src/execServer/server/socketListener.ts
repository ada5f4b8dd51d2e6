import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { StreamTransport } from '../transports/streamTransport';
import type { ExecServer } from './execServer';

const OWNER_ONLY_FILE = 0o600;

/**
 * Serves clients of the same user on a unix socket (a named pipe on Windows): who may open it is up to the folder that it lies
 * in, which nobody else should be able to enter. Rejects where it cannot be made.
 */
export async function listenOnSocket(server: ExecServer, path: string): Promise<{ close(): void }> {
  const listener = createServer((socket) => {
    server.accept(new StreamTransport('a client', { input: socket, output: socket }));
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(path, OWNER_ONLY_FILE);
  return { close: () => listener.close() };
}
