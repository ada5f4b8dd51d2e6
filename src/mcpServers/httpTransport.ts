import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../base/messageOf';
import type { HttpClient, HttpRequestHeader } from '../http/httpClient';
import { executorFetch } from './executorFetch';
import type { ServerLog } from './serverLog';

const NOT_FOUND = 404;
/**
 * A request whose stream broke is answered with an error after so long, unless the server lets the stream be resumed: the SDK
 * tries that within a second.
 */
const LOST_REPLY_MS = 30_000;
/** A server that is there takes the end of a session in far less. */
const CLOSE_GRACE_MS = 2_000;
/** The stream of what a server says by itself is opened again for about a quarter of an hour, with these pauses. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 40,
};

export interface HttpTransportOptions {
  readonly url: URL;
  readonly http: HttpClient;
  readonly headers: readonly HttpRequestHeader[];
  readonly log: ServerLog;
  readonly lostReplyMs?: number;
}

/**
 * The SDK's client side of Streamable HTTP, which starts a new session when the server does not know the old one any more, as
 * after its restart: the client behind it need not know.
 */
export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private readonly fetch: FetchLike;
  private inner: StreamableHTTPClientTransport;
  private initialization: JSONRPCRequest | undefined;
  private renewal: Promise<void> | undefined;
  /** Until the replies are given up whose streams have ended. */
  private readonly lostReplies = new Set<NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: HttpTransportOptions) {
    const { http, headers } = options;
    const send = executorFetch({ http, headers, onBodyClosed: (init) => this.giveUpReplyLater(init) });
    this.fetch = async (url, init) => {
      const response = await (init?.method === 'GET' ? this.keepTrying(() => send(url, init)) : send(url, init));
      const isResumed = response.ok && new Headers(init?.headers).has('last-event-id');
      if (isResumed) this.keepLostReplies();
      return response;
    };
    this.inner = this.create();
  }

  async start(): Promise<void> {
    await this.inner.start();
  }

  /** Resolves when the server has taken it. Rejects with an `Error` that says why it has not. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message) && isInitializeRequest(message)) this.initialization = message;
    await this.renewal;
    const { inner } = this;
    try {
      // Without it the server would never say anything by itself, and the client believes that it has said it.
      if (isInitializedNotification(message)) await this.keepTrying(() => inner.send(message));
      else await inner.send(message);
    } catch (error) {
      if (!this.isExpired(error, inner)) throw error;
      await this.renew(inner);
      await this.inner.send(message);
    }
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  /** Tells the server that the session is over. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.keepLostReplies();
    try {
      await Promise.race([this.inner.terminateSession(), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    } catch (error) {
      this.options.log.debug(`its session could not be ended: ${messageOf(error)}`);
    }
    await this.inner.close();
    this.onclose?.();
  }

  private create(): StreamableHTTPClientTransport {
    const { url } = this.options;
    const transport = new StreamableHTTPClientTransport(url, { fetch: this.fetch, reconnectionOptions: RECONNECTION });
    transport.onmessage = (message) => this.onmessage?.(message);
    transport.onerror = (error) => this.onerror?.(error);
    return transport;
  }

  /**
   * For what may be done twice and is done by nobody again, while the server cannot be reached: the SDK opens a stream again that has
   * broken, but not one that could not be opened, or broke before it said anything.
   */
  private async keepTrying<T>(attempt: () => Promise<T>): Promise<T> {
    let pauseMs = RECONNECTION.initialReconnectionDelay;
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        const isAnswer = error instanceof StreamableHTTPError;
        if (isAnswer || this.isClosed || tries > RECONNECTION.maxRetries) throw error;
        this.options.log.debug(`trying again: ${messageOf(error)}`);
      }
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(RECONNECTION.maxReconnectionDelay, pauseMs * RECONNECTION.reconnectionDelayGrowFactor);
    }
  }

  /** Also what was broken off since others had found out first. */
  private isExpired(error: unknown, inner: StreamableHTTPClientTransport): boolean {
    if (this.isClosed) return false;
    if (this.inner !== inner) return true;
    return error instanceof StreamableHTTPError && error.code === NOT_FOUND && inner.sessionId !== undefined;
  }

  /** For a reply that has come meanwhile it does nothing: nobody waits for a second one. */
  private giveUpReplyLater({ method, body }: RequestInit): void {
    if (this.isClosed || method !== 'POST' || typeof body !== 'string') return;
    const message = JSONRPCMessageSchema.parse(JSON.parse(body));
    if (!isJSONRPCRequest(message)) return;
    const timer = setTimeout(() => {
      this.lostReplies.delete(timer);
      const error = { code: ErrorCode.ConnectionClosed, message: 'the connection broke before the reply came' };
      this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    }, this.options.lostReplyMs ?? LOST_REPLY_MS);
    timer.unref();
    this.lostReplies.add(timer);
  }

  private keepLostReplies(): void {
    for (const timer of this.lostReplies) clearTimeout(timer);
    this.lostReplies.clear();
  }

  /** Once for all that find the session gone at the same time. */
  private renew(expired: StreamableHTTPClientTransport): Promise<void> {
    if (this.inner !== expired) return this.renewal ?? Promise.resolve();
    this.options.log.info('the server has forgotten the session: starting a new one');
    this.inner = this.create();
    const renewal = this.initialize(this.inner);
    this.renewal = renewal;
    renewal.then(
      () => (this.renewal = undefined),
      // There is no session any more: the client has to begin one.
      () => this.close(),
    );
    expired.close().catch(() => undefined);
    return renewal;
  }

  /** Repeats what the client has said at the beginning, and keeps the answer from it: it has one. */
  private async initialize(inner: StreamableHTTPClientTransport): Promise<void> {
    if (this.initialization === undefined) throw new Error('the session has not begun');
    const request = { ...this.initialization, id: `exec-sessions-${randomUUID()}` };
    await inner.start();
    const answered = new Promise<JSONRPCMessage>((resolve, reject) => {
      inner.onmessage = (message) => {
        const isAnswer = (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id === request.id;
        if (isAnswer) resolve(message);
        else this.onmessage?.(message);
      };
      inner.onerror = reject;
    });
    const [, answer] = await Promise.all([inner.send(request), answered]);
    if (!isJSONRPCResultResponse(answer)) throw new Error('the server starts no new session');
    inner.setProtocolVersion(InitializeResultSchema.parse(answer.result).protocolVersion);
    inner.onmessage = (message) => this.onmessage?.(message);
    inner.onerror = (error) => this.onerror?.(error);
    await inner.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
}
