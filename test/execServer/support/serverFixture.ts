/** An exec-server with a client of ours on it, over any of the transports, all within this process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { nullLog } from '../../support/nullLog';
import { ExecServerClient, type ExecServerClientOptions } from '../../../src/execServer/client/execServerClient';
import { RemoteBackend } from '../../../src/execServer/client/remoteBackend';
import { ExecServer, type ExecServerOptions } from '../../../src/execServer/server/execServer';
import { listenForWebSockets } from '../../../src/execServer/server/webSocketListener';
import type { Dialer } from '../../../src/execServer/transports/dialer';
import { socketDialer } from '../../../src/execServer/transports/socketDialer';
import { StreamTransport } from '../../../src/execServer/transports/streamTransport';
import { webSocketDialer } from '../../../src/execServer/transports/webSocketDialer';
import { LocalFileSystem } from '../../../src/files/localFileSystem';
import { LocalBackend } from '../../../src/process/localBackend';

export const TRANSPORTS = ['memory', 'socket', 'webSocket'] as const;
export type TransportKind = (typeof TRANSPORTS)[number];

/** A server whose programs are ended when the running test has finished. */
export function createServerUnderTest(options: Partial<ExecServerOptions> = {}): ExecServer {
  const server = new ExecServer({
    backend: new LocalBackend(),
    files: new LocalFileSystem(),
    log: nullLog,
    ...options,
  });
  onTestFinished(() => server.shutDown());
  return server;
}

export function createClient(dialer: Dialer, options: Partial<ExecServerClientOptions> = {}): ExecServerClient {
  const client = new ExecServerClient({ dialer, log: nullLog, ...options });
  onTestFinished(() => {
    client.dispose();
  });
  return client;
}

/** A backend that runs programs on a server of its own. */
export async function createRemoteBackend(kind: TransportKind): Promise<RemoteBackend> {
  return new RemoteBackend(createClient(await dialerTo(createServerUnderTest(), kind)));
}

export async function dialerTo(server: ExecServer, kind: TransportKind): Promise<Dialer> {
  switch (kind) {
    case 'memory':
      return memoryDialer(server);
    case 'socket':
      return socketDialer(await listenOnSocket(server));
    case 'webSocket':
      return webSocketDialer({ url: await listenOnLoopback(server) });
  }
}

export async function listenOnLoopback(server: ExecServer): Promise<string> {
  const listener = await listenForWebSockets({ server, log: nullLog, host: '127.0.0.1', port: 0, token: undefined });
  onTestFinished(() => listener.close());
  return listener.url;
}

async function listenOnSocket(server: ExecServer): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'exec-sessions-socket-'));
  const listener = createServer((socket) => {
    server.accept(new StreamTransport('a client', { input: socket, output: socket }));
  });
  await new Promise<void>((resolve) => listener.listen(path.join(folder, 'server'), resolve));
  onTestFinished(() => {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return path.join(folder, 'server');
}

function memoryDialer(server: ExecServer): Dialer {
  return {
    label: 'memory',
    isLasting: true,
    dial: async () => {
      const [near, far] = duplexPair();
      server.accept(new StreamTransport('a client', { input: far, output: far }));
      return new StreamTransport('memory', { input: near, output: near });
    },
  };
}

/** Two ends: what is written to one is read from the other. */
export function duplexPair(): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const create = (other: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        if (!other().destroyed) other().push(chunk);
        setImmediate(done);
      },
      final: (done) => {
        if (!other().destroyed) other().push(null);
        done();
      },
      destroy: (_error, done) => {
        if (!other().destroyed) other().push(null);
        done(null);
      },
    });
  ends.push(
    create(() => ends[1]!),
    create(() => ends[0]!),
  );
  return [ends[0]!, ends[1]!];
}
