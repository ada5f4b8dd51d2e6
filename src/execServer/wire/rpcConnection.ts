/**
 * One connection: requests with their answers in both directions, and notifications. Knows nothing of what they mean.
 * A request is handled as soon as it arrives, in the same turn, so that what a handler does first is done in the order of arrival.
 */
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Log } from '../../base/log';
import type { MessageTransport } from '../transports/messageTransport';
import { ConnectionClosedError, RPC_CODES, RpcError } from './rpcError';
import { type MessageId, parseMessage, type RpcMessage } from './rpcMessage';

export interface RpcHandlers {
  /** Returns the result or a promise of it; throws an `RpcError` to answer with that. */
  request(method: string, params: unknown): unknown;
  /** Throws an `RpcError` for one that breaks the protocol: the connection is dropped. */
  notification(method: string, params: unknown): void;
}

export interface RpcConnectionOptions {
  readonly transport: MessageTransport;
  readonly handlers: RpcHandlers;
  readonly log: Log;
  /** Requests of the other side that may be in work at once; further ones are not read before. */
  readonly maxConcurrentRequests?: number;
}

interface PendingCall {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

type RpcRequest = Extract<RpcMessage, { readonly kind: 'request' }>;

/** With so much of our answers on the way to the other side, no further requests of it are read: it has to take some first. */
const FULL_ANSWERS_BYTES = 16 * 1_024 * 1_024;

/** The id of an answer to what cannot be read, and so has none. */
const NO_ID = -1;

export class RpcConnection implements Disposable {
  private readonly pending = new Map<MessageId, PendingCall>();
  private readonly closed = new Emitter<string>();
  private readonly waiting: RpcRequest[] = [];
  private nextId = 1;
  private active = 0;
  private endReason: string | undefined;

  /** Told once, after all pending calls were rejected. */
  readonly onDidClose = this.closed.event;

  /** Owns the transport. */
  constructor(private readonly options: RpcConnectionOptions) {
    const { transport } = options;
    transport.onMessage((text) => {
      this.receive(text);
    });
    transport.onDidClose((reason) => {
      this.end(reason);
    });
    transport.onDidDrain(() => {
      this.readOn();
    });
  }

  /** As it is told by {@link onDidClose}; `undefined` while it is open. */
  get closeReason(): string | undefined {
    return this.endReason;
  }

  get isClosed(): boolean {
    return this.endReason !== undefined;
  }

  get transport(): MessageTransport {
    return this.options.transport;
  }

  /** Rejects with an `RpcError` for an answer that is an error, with a `ConnectionClosedError` when there will be none. */
  request(method: string, params: unknown): Promise<unknown> {
    if (this.endReason !== undefined) return Promise.reject(this.closedError(method));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { method, resolve, reject });
      this.transport.send(JSON.stringify({ id, method, params }));
    });
  }

  notify(method: string, params: unknown): void {
    this.transport.send(JSON.stringify({ method, params }));
  }

  dispose(): void {
    this.transport.close();
    this.end('it was closed from here');
  }

  private receive(text: string): void {
    if (this.endReason !== undefined) return;
    const message = parseMessage(text);
    switch (message.kind) {
      case 'request':
        this.waiting.push(message);
        this.handleWaiting();
        break;
      case 'notification':
        this.handleNotification(message.method, message.params);
        break;
      case 'result':
        this.takePending(message.id)?.resolve(message.result);
        break;
      case 'error':
        this.takePending(message.id)?.reject(new RpcError(message.code, message.message, message.data));
        break;
      case 'malformed':
        this.answerError(NO_ID, RpcError.invalidRequest(`failed to parse a message: ${message.problem}`));
        break;
    }
  }

  private takePending(id: MessageId): PendingCall | undefined {
    const call = this.pending.get(id);
    this.pending.delete(id);
    if (call === undefined) this.drop(`an answer to no request came (id ${JSON.stringify(id)})`);
    return call;
  }

  private handleNotification(method: string, params: unknown): void {
    try {
      this.options.handlers.notification(method, params);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.drop(error.message);
    }
  }

  /** Who sends requests only has to read all answers, and so is never made to wait. */
  private get hasRoom(): boolean {
    const { maxConcurrentRequests } = this.options;
    if (maxConcurrentRequests === undefined) return true;
    return this.active < maxConcurrentRequests && this.transport.backlogBytes < FULL_ANSWERS_BYTES;
  }

  private readOn(): void {
    this.transport.resume();
    this.handleWaiting();
  }

  private handleWaiting(): void {
    while (this.hasRoom) {
      const request = this.waiting.shift();
      if (request === undefined) return;
      this.handleRequest(request);
    }
    this.transport.pause();
  }

  private handleRequest({ id, method, params }: RpcRequest): void {
    let result: unknown;
    try {
      result = this.options.handlers.request(method, params);
    } catch (error) {
      this.answerError(id, error);
      return;
    }
    if (!(result instanceof Promise)) {
      this.answer(id, result);
      return;
    }
    this.active++;
    const done = (): void => {
      this.active--;
      this.readOn();
    };
    result
      .then(
        (value: unknown) => {
          this.answer(id, value);
        },
        (error: unknown) => {
          this.answerError(id, error);
        },
      )
      .finally(done)
      .catch((error: unknown) => {
        this.options.log.error(`${method} could not be answered`, error);
      });
  }

  private answer(id: MessageId, result: unknown): void {
    this.transport.send(JSON.stringify({ id, result }));
  }

  private answerError(id: MessageId, error: unknown): void {
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      this.transport.send(JSON.stringify({ error: { code, ...(data !== undefined && { data }), message }, id }));
      return;
    }
    this.options.log.error('internal error', error);
    this.transport.send(JSON.stringify({ error: { code: RPC_CODES.internal, message: 'internal error' }, id }));
  }

  private drop(problem: string): void {
    this.options.log.warn(`dropping the connection with ${this.transport.label}: ${problem}`);
    this.end(problem);
    this.transport.close();
  }

  private end(reason: string): void {
    if (this.endReason !== undefined) return;
    this.endReason = reason;
    this.waiting.length = 0;
    for (const { method, reject } of this.pending.values()) reject(this.closedError(method));
    this.pending.clear();
    this.closed.fire(reason);
  }

  private closedError(method: string): ConnectionClosedError {
    const reason = this.endReason ?? 'it was closed';
    return new ConnectionClosedError(
      `${method} was not answered: the connection with ${this.transport.label} ended (${reason})`,
    );
  }
}
