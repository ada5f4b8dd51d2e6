import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Dialer } from './dialer';
import { MAX_MESSAGE_BYTES, type MessageTransport } from './messageTransport';
import { WebSocketTransport } from './webSocketTransport';

/** A host that does not answer at all. */
export const CONNECT_TIMEOUT_MS = 10_000;
const MAX_REFUSAL_BYTES = 1_024;
/** How often a server is asked whether it is still there: a cut line tells nobody of itself. */
const PROBE_INTERVAL_MS = 10_000;

export interface WebSocketAddress {
  /** `ws:` or `wss:`. */
  readonly url: string;
  /** Shown to the server as a bearer token. */
  readonly token?: string | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly probeIntervalMs?: number;
}

/** Throws a `TypeError` for what is no address of a websocket. */
export function webSocketDialer(address: WebSocketAddress): Dialer {
  const { url, token, connectTimeoutMs = CONNECT_TIMEOUT_MS, probeIntervalMs = PROBE_INTERVAL_MS } = address;
  const { protocol, host } = new URL(url);
  if (protocol !== 'ws:' && protocol !== 'wss:') throw new TypeError(`${protocol} is not the scheme of a websocket`);
  // Names, passwords, paths and queries of addresses may be secret.
  const label = `${protocol}//${host}`;
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return {
    label,
    isLasting: true,
    dial: () =>
      new Promise<MessageTransport>((resolve, reject) => {
        const webSocket = new WebSocket(url, {
          headers,
          perMessageDeflate: false,
          maxPayload: MAX_MESSAGE_BYTES,
          handshakeTimeout: connectTimeoutMs,
        });
        let socket: Socket;
        webSocket.once('upgrade', (response) => {
          socket = response.socket;
        });
        webSocket.once('error', reject);
        webSocket.once('unexpected-response', (_request, response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('close', () => {
            const text = Buffer.concat(chunks).subarray(0, MAX_REFUSAL_BYTES).toString('utf8').trim();
            reject(new Error(`it refused with status ${response.statusCode ?? 0}${text === '' ? '' : `: ${text}`}`));
          });
        });
        webSocket.once('open', () => {
          webSocket.off('error', reject);
          const transport = new WebSocketTransport(label, webSocket, socket);
          const probes = setInterval(() => {
            transport.probe();
          }, probeIntervalMs);
          transport.onDidClose(() => {
            clearInterval(probes);
          });
          resolve(transport);
        });
      }),
  };
}
