/** The HTTP requests of one connection, and the bodies that stream over it. They end with the connection. */
import type { Readable } from 'node:stream';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { messageOf } from '../../base/messageOf';
import type { HttpClient, HttpFailure, HttpResponse } from '../../http/httpClient';
import {
  BODY_DELTA,
  type BodyDeltaParams,
  HTTP_REQUEST,
  type HttpRequestParams,
  type HttpRequestResult,
} from '../wire/httpMethods';
import type { RpcConnection } from '../wire/rpcConnection';
import { RPC_CODES, RpcError } from '../wire/rpcError';
import { FULL_BACKLOG_BYTES } from './limits';

/** A part of a body in one notification, before base64; Codex's server goes up to the same. */
const MAX_DELTA_BYTES = 1_024 * 1_024;
/** A body in one answer, before base64: with that and its headers it fits into a message. */
const MAX_BUFFERED_BODY_BYTES = 40 * 1_024 * 1_024;
/** Streams of one connection at once: far more than servers that a client talks to. */
const MAX_STREAMS = 256;

const CODE_OF_FAILURE: Record<HttpFailure['kind'], number> = {
  badRequest: RPC_CODES.invalidParams,
  unsupported: RPC_CODES.methodNotFound,
  failed: RPC_CODES.internal,
};

export class HttpExchanges implements Disposable {
  private readonly all = new Set<Exchange>();
  private readonly streams = new Map<string, Exchange>();
  private readonly draining: Disposable;

  constructor(
    private readonly client: HttpClient,
    private readonly connection: RpcConnection,
  ) {
    this.draining = connection.transport.onDidDrain(() => {
      for (const exchange of this.streams.values()) exchange.changed.fire();
    });
  }

  /** The answer, and after it the body if that is to be streamed. Rejects with an `RpcError`. */
  async request(params: HttpRequestParams): Promise<HttpRequestResult> {
    const { requestId } = params;
    const exchange = new Exchange();
    if (params.streamResponse === true) this.addStream(requestId, exchange);
    this.all.add(exchange);
    const end = (): void => {
      this.all.delete(exchange);
      if (this.streams.get(requestId) === exchange) this.streams.delete(requestId);
    };
    try {
      const response = await this.send(params, exchange.signal);
      const { status, headers } = response;
      if (params.streamResponse !== true) {
        const body = await readWhole(response.body);
        end();
        return { status, headers: [...headers], bodyBase64: body.toString('base64') };
      }
      // The answer goes first.
      setImmediate(() => {
        void this.stream(params.requestId, { exchange, body: response.body, end });
      });
      return { status, headers: [...headers], bodyBase64: '' };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** The client is busy with what it has of the body, or is so no more. */
  setPaused(requestId: string, isPaused: boolean): void {
    const exchange = this.streams.get(requestId);
    if (exchange === undefined) return;
    exchange.isPaused = isPaused;
    exchange.changed.fire();
  }

  /** Nobody wants the rest. Nothing more is told of it. */
  cancel(requestId: string): void {
    this.streams.get(requestId)?.abort();
  }

  dispose(): void {
    this.draining.dispose();
    for (const exchange of this.all) exchange.abort();
  }

  private addStream(requestId: string, exchange: Exchange): void {
    if (this.streams.has(requestId)) {
      throw RpcError.invalidParams(`${HTTP_REQUEST} streamResponse requestId \`${requestId}\` is already active`);
    }
    if (this.streams.size >= MAX_STREAMS) {
      throw RpcError.invalidRequest(`${MAX_STREAMS} responses are streamed already; end one of them first`);
    }
    this.streams.set(requestId, exchange);
  }

  private async send(params: HttpRequestParams, signal: AbortSignal): Promise<HttpResponse> {
    const { method, url, headers = [], bodyBase64: body, timeoutMs, redirectPolicy: redirects = 'follow' } = params;
    const result = await this.client.request({ method, url, headers, body, timeoutMs, redirects, signal });
    if (result.kind === 'response') return result.response;
    const { kind, message } = result.failure;
    throw new RpcError(CODE_OF_FAILURE[kind], `${HTTP_REQUEST} ${kind === 'failed' ? 'failed: ' : ''}${message}`);
  }

  private async stream(requestId: string, { exchange, body, end }: StreamedBody): Promise<void> {
    let seq = 0;
    const tell = (delta: Buffer, last: Pick<BodyDeltaParams, 'done' | 'error'>): void => {
      const params: BodyDeltaParams = { requestId, seq: ++seq, deltaBase64: delta.toString('base64'), ...last };
      this.connection.notify(BODY_DELTA, params);
    };
    let error: string | null = null;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        for (let start = 0; start < chunk.length; start += MAX_DELTA_BYTES) {
          while (exchange.isPaused || this.connection.transport.backlogBytes > FULL_BACKLOG_BYTES)
            await exchange.nextChange();
          tell(chunk.subarray(start, start + MAX_DELTA_BYTES), { done: false, error: null });
        }
      }
    } catch (reason) {
      error = messageOf(reason);
    }
    // Before the last is told: the id may be used again.
    end();
    if (!exchange.signal.aborted) tell(Buffer.alloc(0), { done: true, error });
  }
}

interface StreamedBody {
  readonly exchange: Exchange;
  readonly body: Readable;
  readonly end: () => void;
}

/** One request, until the last of its body has gone. */
class Exchange {
  readonly changed = new Emitter<void>();
  isPaused = false;
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort(RpcError.invalidRequest('the request was cancelled'));
    this.changed.fire();
  }

  /** Rejects once the exchange is aborted. */
  async nextChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      const listening = this.changed.event(() => {
        listening.dispose();
        resolve();
      });
    });
    this.signal.throwIfAborted();
  }
}

async function readWhole(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BUFFERED_BODY_BYTES) {
        throw new Error(`it has more than ${MAX_BUFFERED_BODY_BYTES} bytes; ask for it with streamResponse`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw new RpcError(RPC_CODES.internal, `failed to read ${HTTP_REQUEST} response body: ${messageOf(error)}`);
  }
  return Buffer.concat(chunks);
}
