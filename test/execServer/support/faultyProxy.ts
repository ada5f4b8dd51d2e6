import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

export interface Faults {
  /** Drops the connection, once, right after the n-th message with the method. */
  readonly dropAfter?: { readonly method: string; readonly count: number };
  /** Swaps the first notification with the method and the one that comes next. */
  readonly swapFirst?: string;
  /** Loses the n-th message with the method. */
  readonly swallow?: { readonly method: string; readonly count: number };
  /** Lets nobody connect for so long after a drop. */
  readonly refuseMs?: number;
}

export interface FaultyProxy {
  readonly url: string;
  /** How many there were. */
  readonly connections: () => number;
  readonly openConnections: () => number;
  /** Drops all connections now. */
  drop(): void;
  /** Cuts the lines of all connections that there are: nobody is told. */
  cut(): void;
}

/** A websocket proxy that breaks what goes from the server to the client. */
export async function startFaultyProxy(upstreamUrl: string, faults: Faults = {}): Promise<FaultyProxy> {
  const counts = new Map<string, number>();
  const open = new Set<WebSocket>();
  let connections = 0;
  let canDrop = true;
  let canSwap = true;
  let refusedUntilMs = 0;
  const http = createServer();
  const server = new WebSocketServer({ noServer: true });
  const isCut = new WeakSet<WebSocket>();
  const cut = (): void => {
    for (const socket of open) {
      isCut.add(socket);
      socket.pause();
    }
  };
  const drop = (): void => {
    refusedUntilMs = performance.now() + (faults.refuseMs ?? 0);
    for (const socket of open) socket.terminate();
  };

  const relay = (client: WebSocket): void => {
    connections++;
    const upstream = new WebSocket(upstreamUrl);
    const early: Buffer[] = [];
    let held: string | undefined;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        if (isCut.has(socket)) return;
        client.terminate();
        upstream.terminate();
      });
    }
    client.on('message', (data: Buffer) => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(data.toString('utf8'));
      else early.push(data);
    });
    upstream.on('open', () => {
      for (const data of early.splice(0)) upstream.send(data.toString('utf8'));
    });
    upstream.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      const { method = '' } = JSON.parse(text) as { method?: string };
      const count = (counts.get(method) ?? 0) + 1;
      counts.set(method, count);
      if (faults.swallow?.method === method && faults.swallow.count === count) return;
      if (canSwap && method === faults.swapFirst) {
        canSwap = false;
        held = text;
        return;
      }
      client.send(text);
      if (held !== undefined && method !== '') {
        client.send(held);
        held = undefined;
      }
      if (!canDrop || faults.dropAfter?.method !== method || count < faults.dropAfter.count) return;
      canDrop = false;
      drop();
    });
  };

  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (performance.now() < refusedUntilMs) socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
    else server.handleUpgrade(request, socket, head, relay);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    drop();
    http.closeAllConnections();
    http.close();
  });
  return {
    url: `ws://127.0.0.1:${String((http.address() as AddressInfo).port)}`,
    connections: () => connections,
    openConnections: () => server.clients.size,
    drop,
    cut,
  };
}
