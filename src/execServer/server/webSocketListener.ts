import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Log } from '../../base/log';
import { MAX_MESSAGE_BYTES } from '../transports/messageTransport';
import { WebSocketTransport } from '../transports/webSocketTransport';
import type { CapabilityToken } from './capabilityToken';
import type { ExecServer } from './execServer';

export interface ListenOptions {
  readonly server: ExecServer;
  readonly log: Log;
  /** An IP address, without brackets. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Asked of every client unless `undefined`. */
  readonly token: CapabilityToken | undefined;
}

export interface WebSocketListener {
  /** Where it listens, such as `ws://127.0.0.1:4711`. */
  readonly url: string;
  /** Stops listening and drops all connections. */
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const LOOPBACK_ADDRESS = /^(?:127(?:\.\d+){3}|::1)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

const STATUS_TEXTS: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

/** Serves clients that connect by websocket. Rejects where the address cannot be had. */
export async function listenForWebSockets({ server, log, host, port, token }: ListenOptions): Promise<WebSocketListener> {
  const http = createServer((request, response) => {
    answerPlainRequest(request, response);
  });
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // It may break before it is anybody's.
    stream.on('error', () => undefined);
    const refusal = refusalOf(request, token);
    if (refusal !== undefined) {
      log.warn(`refused a websocket from ${describePeer(request)}: ${refusal.status} ${refusal.text}`);
      refuse(stream, refusal);
      return;
    }
    webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      server.accept(new WebSocketTransport(`the client at ${describePeer(request)}`, webSocket, request.socket));
    });
  });
  await listen(http, { host, port });
  const bound = http.address() as AddressInfo;
  const shownHost = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `ws://${shownHost}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        for (const webSocket of webSockets.clients) webSocket.terminate();
        http.close(() => {
          resolve();
        });
        http.closeAllConnections();
      }),
  };
}

function listen(http: Server, address: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(address, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

/**
 * A page in a browser names its origin, and no page may run programs here; nor one that has reached the loopback address by a name
 * of its own. Through a tunnel the port is another one.
 */
function isFromBrowser({ headers, socket }: IncomingMessage): boolean {
  if (headers.origin !== undefined) return true;
  const isForThisMachine = LOOPBACK_ADDRESS.test(socket.localAddress ?? '');
  return isForThisMachine && !LOOPBACK_HOST.test(headers.host ?? '');
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function refusalOf(request: IncomingMessage, token: CapabilityToken | undefined): Refusal | undefined {
  if (isFromBrowser(request)) return { status: 403, text: '' };
  if (pathOf(request) !== '/') return { status: 404, text: '' };
  const problem = token?.problemWith(request.headers.authorization);
  return problem === undefined ? undefined : { status: 401, text: problem };
}

function refuse(stream: Duplex, { status, text }: Refusal): void {
  const head = `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? ''}`;
  const headers = ['Connection: close', 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(text)}`];
  stream.end([head, ...headers, '', text].join('\r\n'));
}

/** All that is served without a websocket is whether the server is there. */
function answerPlainRequest(request: IncomingMessage, response: ServerResponse): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = pathOf(request);
  const status = isFromBrowser(request)
    ? 403
    : path === '/readyz'
      ? isRead
        ? 200
        : 405
      : path !== '/'
        ? 404
        : request.method === 'GET'
          ? 400
          : 405;
  response.writeHead(status).end(status === 400 ? "Connection header did not include 'upgrade'" : undefined);
}

function describePeer({ socket }: IncomingMessage): string {
  return `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`;
}
