import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { Emitter } from '../../base/emitter';
import type { MessageTransport } from './messageTransport';

/** Clients of this protocol drop a connection for a frame of 16 MiB: what is longer goes in several. */
const MAX_FRAME_BYTES = 8 * 1_024 * 1_024;
/** How often an idle connection is asked for a sign of life, so that what lies between does not forget it. */
const PING_INTERVAL_MS = 30_000;

/** How long an end that is there may take to show it. */
const PROBE_TIMEOUT_MS = 5_000;

/** Messages as text frames of an open websocket. */
export class WebSocketTransport implements MessageTransport {
  private readonly messages = new Emitter<string>();
  private readonly closed = new Emitter<string>();
  private readonly drained = new Emitter<void>();
  private readonly pings: NodeJS.Timeout;
  private problem: string | undefined;
  private probing: NodeJS.Timeout | undefined;

  readonly onMessage = this.messages.event;
  readonly onDidClose = this.closed.event;
  readonly onDidDrain = this.drained.event;

  /** Owns the websocket; `socket` is what it runs on. */
  constructor(
    readonly label: string,
    private readonly webSocket: WebSocket,
    socket: Socket,
  ) {
    // Small messages are answers that somebody waits for.
    socket.setNoDelay(true);
    socket.on('drain', () => {
      this.drained.fire();
    });
    for (const sign of ['message', 'ping', 'pong'] as const) {
      webSocket.on(sign, () => {
        clearTimeout(this.probing);
        this.probing = undefined;
      });
    }
    webSocket.on('message', (data: RawData) => {
      this.messages.fire((data as Buffer).toString('utf8'));
    });
    webSocket.on('error', (error) => {
      this.problem ??= error.message;
    });
    webSocket.on('close', (code, reason) => {
      clearInterval(this.pings);
      clearTimeout(this.probing);
      const told = reason.length > 0 ? `: ${reason.toString('utf8')}` : '';
      this.closed.fire(this.problem ?? `the websocket was closed with code ${code}${told}`);
    });
    this.pings = setInterval(() => {
      webSocket.ping();
    }, PING_INTERVAL_MS);
    this.pings.unref();
  }

  get backlogBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  send(message: string | Buffer, release?: () => void): void {
    if (this.webSocket.readyState !== this.webSocket.OPEN) {
      release?.();
      return;
    }
    if (message.length <= MAX_FRAME_BYTES / 4) {
      this.webSocket.send(message, { binary: false }, release);
      return;
    }
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    for (let start = 0; start < bytes.length; start += MAX_FRAME_BYTES) {
      const fin = start + MAX_FRAME_BYTES >= bytes.length;
      this.webSocket.send(bytes.subarray(start, start + MAX_FRAME_BYTES), { binary: false, fin }, fin ? release : undefined);
    }
  }

  pause(): void {
    this.webSocket.pause();
  }

  resume(): void {
    this.webSocket.resume();
  }

  probe(): void {
    if (this.probing !== undefined || this.webSocket.readyState !== this.webSocket.OPEN) return;
    this.webSocket.ping();
    this.probing = setTimeout(() => {
      // After a pause of this whole process the answer may lie there unread.
      setImmediate(() => {
        if (this.probing === undefined) return;
        this.problem ??= `no sign of life within ${PROBE_TIMEOUT_MS} ms`;
        this.webSocket.terminate();
      });
    }, PROBE_TIMEOUT_MS);
  }

  close(): void {
    this.problem ??= 'it was closed from here';
    this.webSocket.terminate();
  }
}
