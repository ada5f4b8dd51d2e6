/**
 * The client's side of a session on an exec-server: one connection at a time, made when it is needed, and made again after a drop
 * so that the processes of the session go on. Knows nothing of what processes do.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../base/deferred';
import { Emitter } from '../../base/emitter';
import type { Log } from '../../base/log';
import { messageOf } from '../../base/messageOf';
import type { Dialer } from '../transports/dialer';
import type { MessageTransport } from '../transports/messageTransport';
import { decodeResult } from '../wire/decode';
import { EXTENSIONS_CAPABILITY } from '../wire/extensions';
import { isRecord } from '../wire/rpcMessage';
import { RpcConnection } from '../wire/rpcConnection';
import { ConnectionClosedError, RPC_CODES, RpcError } from '../wire/rpcError';
import { type EnvironmentInfo, initializeResult } from '../wire/sessionMethods';

/** How long a dropped connection may take to be made again before its processes are given up. Servers keep them for longer. */
export const RECOVERY_DEADLINE_MS = 45_000;
/** The first try is at once; the pauses between the next ones grow from the first of these to the second. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** A server that accepts a connection and then says nothing. */
export const INITIALIZE_TIMEOUT_MS = 10_000;

const CLIENT_NAME = 'exec-sessions';
const CLOSED_FROM_HERE = 'it was closed from here';

/** What listens to one process of the session. */
export interface ProcessSink {
  /** A notification about the process. Throws an `RpcError` for one that is not as agreed. */
  onNotification(method: string, params: Record<string, unknown>): void;
  /** The session has a new connection: what came between the two has to be read. */
  onDidResume(): void;
  /** The session is gone, and the process with it; `message` is a sentence. */
  onDidLose(message: string): void;
}

/** What listens to the answer of one request that goes on after its answer, for as long as its connection lasts. */
export interface StreamSink {
  /** A notification about the request. */
  onNotification(method: string, params: Record<string, unknown>): void;
}

/** A server, as long as the session with it lasts. */
export interface Attachment {
  readonly connection: RpcConnection;
  readonly sessionId: string;
  readonly info: EnvironmentInfo | undefined;
  /** Whether the server knows what this project adds to the protocol. */
  readonly hasExtensions: boolean;
}

export type ClientState =
  | {
      readonly kind: 'disconnected';
      /** Part of a sentence; `undefined`: nobody has asked for a connection yet. */
      readonly reason: string | undefined;
      /** It was dropped from here, because somebody wanted it. */
      readonly isOurs: boolean;
    }
  | { readonly kind: 'connecting' | 'recovering'; readonly attached: Promise<Attachment> }
  | { readonly kind: 'connected'; readonly attachment: Attachment };

export interface ExecServerClientOptions {
  readonly dialer: Dialer;
  readonly log: Log;
  readonly recoveryDeadlineMs?: number;
  readonly initializeTimeoutMs?: number | undefined;
  /** A session of a client before this one, to be taken up at the first connection; without one, a new session. */
  readonly resumeSessionId?: string | undefined;
  /** Whether the server lets processes go on when this client goes away, until another takes its session up. */
  readonly outlivesUs?: boolean;
}

export class ExecServerClient {
  private readonly sinks = new Map<string, ProcessSink>();
  private readonly streams = new Map<string, StreamSink>();
  private readonly stateChanged = new Emitter<ClientState>();
  private readonly becameIdle = new Emitter<void>();
  private currentState: ClientState = { kind: 'disconnected', reason: undefined, isOurs: false };
  /** Ends what is being tried to get a connection. */
  private attempt = new AbortController();
  private hasConnected = false;
  private isDisposed = false;

  readonly onDidChangeState = this.stateChanged.event;
  /** The last process of the session is gone. */
  readonly onDidBecomeIdle = this.becameIdle.event;

  constructor(private readonly options: ExecServerClientOptions) {}

  get state(): ClientState {
    return this.currentState;
  }

  get outlivesUs(): boolean {
    return this.options.outlivesUs ?? false;
  }

  get label(): string {
    return this.options.dialer.label;
  }

  /** Processes of the session that are not gone. */
  get processCount(): number {
    return this.sinks.size;
  }

  /**
   * The session, once it has a connection; connects if there is none. Rejects with an error that says why there is none; the next
   * call tries anew.
   */
  attach(): Promise<Attachment> {
    const state = this.currentState;
    switch (state.kind) {
      case 'connected':
        return Promise.resolve(state.attachment);
      case 'connecting':
      case 'recovering':
        return state.attached;
      case 'disconnected':
        return this.connect();
    }
  }

  /** To be called before the process is started: what it does may be told before its start is answered. */
  register(processId: string, sink: ProcessSink): void {
    this.sinks.set(processId, sink);
  }

  unregister(processId: string): void {
    if (this.sinks.delete(processId) && this.processCount === 0) this.becameIdle.fire();
  }

  /** To be called before the request is made, with an id that no other has had. */
  registerStream(requestId: string, sink: StreamSink): void {
    this.streams.set(requestId, sink);
  }

  unregisterStream(requestId: string): void {
    this.streams.delete(requestId);
  }

  /** Calls a method of the session. Rejects with a `ConnectionClosedError` if the connection drops before the answer. */
  async call(method: string, params: unknown): Promise<unknown> {
    const { connection } = await this.attach();
    return connection.request(method, params);
  }

  /**
   * The same for what may be asked twice: asked again after a drop, until the session is gone. Only for a session that there is,
   * since a new one knows none of its processes.
   */
  async callAgain(method: string, params: unknown): Promise<unknown> {
    for (;;) {
      if (this.currentState.kind === 'disconnected') throw new ConnectionClosedError(this.lostMessage(undefined));
      try {
        return await this.call(method, params);
      } catch (error) {
        if (!(error instanceof ConnectionClosedError)) throw error;
      }
    }
  }

  /** Something that nobody waits for went wrong. */
  report(problem: string): void {
    this.options.log.warn(`${this.label}: ${problem}`);
  }

  /**
   * Drops the connection, or gives up to make one; the next call makes one again. Processes that still run are lost to this
   * client, and ended by the server when no other comes. `reason`, as part of a sentence, says who wanted it.
   */
  disconnect(reason: string): void {
    const state = this.currentState;
    if (state.kind === 'disconnected') return;
    this.attempt.abort(new Error(reason));
    this.lose(reason, true);
    if (state.kind === 'connected') state.attachment.connection.dispose();
  }

  /** The same, for good. */
  dispose(): void {
    this.isDisposed = true;
    this.disconnect(CLOSED_FROM_HERE);
  }

  private connect(): Promise<Attachment> {
    if (this.isDisposed) return Promise.reject(new Error(CLOSED_FROM_HERE));
    const { resumeSessionId } = this.options;
    this.attempt = new AbortController();
    const attached = this.open(this.hasConnected ? undefined : resumeSessionId, this.attempt.signal);
    this.setState({ kind: 'connecting', attached });
    attached.catch((error: unknown) => {
      if (this.isWaitingFor(attached)) this.setState({ kind: 'disconnected', reason: messageOf(error), isOurs: false });
    });
    return attached;
  }

  /** False once somebody has given it up: then another attempt may be under way. */
  private isWaitingFor(attached: Promise<Attachment>): boolean {
    const state = this.currentState;
    return 'attached' in state && state.attached === attached;
  }

  private async open(resumeSessionId: string | undefined, signal: AbortSignal): Promise<Attachment> {
    const connection = new RpcConnection({
      transport: await this.dial(signal),
      log: this.options.log,
      handlers: {
        // Servers ask clients only for what these have offered: nothing.
        request: (method) => {
          throw RpcError.methodNotFound(method);
        },
        notification: (method, params) => {
          this.route(method, params);
        },
      },
    });
    try {
      const attachment = await unlessAborted(signal, this.initialize(connection, resumeSessionId));
      if (connection.isClosed) throw new Error('it closed the connection at once');
      connection.onDidClose((reason) => {
        this.handleDrop(attachment, reason);
      });
      this.hasConnected = true;
      this.setState({ kind: 'connected', attachment });
      return attachment;
    } catch (error) {
      const { closeReason } = connection;
      connection.dispose();
      // Why it closed says more than that a call was not answered.
      throw signal.aborted || closeReason === undefined ? error : new Error(closeReason, { cause: error });
    }
  }

  private async dial(signal: AbortSignal): Promise<MessageTransport> {
    signal.throwIfAborted();
    const dialing = this.options.dialer.dial();
    try {
      return await unlessAborted(signal, dialing);
    } catch (error) {
      // One that comes late has nobody who would close it.
      dialing.then(
        (transport) => transport.close(),
        () => undefined,
      );
      throw error;
    }
  }

  private async initialize(connection: RpcConnection, resumeSessionId: string | undefined): Promise<Attachment> {
    const params = { clientName: CLIENT_NAME, resumeSessionId: resumeSessionId ?? null };
    const { initializeTimeoutMs = INITIALIZE_TIMEOUT_MS } = this.options;
    const answer = await answerWithin(initializeTimeoutMs, connection.request('initialize', params));
    const { sessionId, environmentInfo } = decodeResult(initializeResult, 'initialize', answer);
    connection.notify('initialized', {});
    const hasExtensions = environmentInfo?.capabilities?.[EXTENSIONS_CAPABILITY] === true;
    return { connection, sessionId, info: environmentInfo ?? undefined, hasExtensions };
  }

  private route(method: string, params: unknown): void {
    if (!isRecord(params)) return;
    const { processId, requestId } = params as { processId: unknown; requestId: unknown };
    // Of what nobody holds any more, and of kinds that a newer server knows: nobody's.
    if (typeof processId === 'string') this.sinks.get(processId)?.onNotification(method, params);
    if (typeof requestId === 'string') this.streams.get(requestId)?.onNotification(method, params);
  }

  private handleDrop(attachment: Attachment, reason: string): void {
    const state = this.currentState;
    if (state.kind !== 'connected' || state.attachment !== attachment) return;
    this.options.log.warn(`the connection with ${this.label} dropped: ${reason}`);
    if (this.processCount === 0 || !this.options.dialer.isLasting) {
      this.lose(reason);
      return;
    }
    const attached = this.recover(attachment.sessionId, reason);
    this.setState({ kind: 'recovering', attached });
    attached.catch((error: unknown) => {
      if (this.isWaitingFor(attached)) this.lose(messageOf(error));
    });
  }

  private async recover(sessionId: string, reason: string): Promise<Attachment> {
    const { recoveryDeadlineMs = RECOVERY_DEADLINE_MS, log } = this.options;
    const deadlineMs = performance.now() + recoveryDeadlineMs;
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(LONGEST_RETRY_MS, 2 * retryMs)) {
      try {
        const attachment = await this.open(sessionId, signal);
        log.info(`connected with ${this.label} again`);
        for (const sink of [...this.sinks.values()]) sink.onDidResume();
        return attachment;
      } catch (error) {
        const isGone = error instanceof RpcError && error.code !== RPC_CODES.sessionAttached;
        if (isGone || signal.aborted) throw error;
        if (performance.now() + retryMs > deadlineMs) {
          throw new Error(`${reason}; it could not be reached again within ${recoveryDeadlineMs} ms: ${messageOf(error)}`, {
            cause: error,
          });
        }
        await delay(retryMs);
      }
    }
  }

  private lose(reason: string, isOurs = false): void {
    const message = this.lostMessage(reason);
    this.setState({ kind: 'disconnected', reason, isOurs });
    const sinks = [...this.sinks.values()];
    this.sinks.clear();
    for (const sink of sinks) sink.onDidLose(message);
    if (sinks.length > 0) this.becameIdle.fire();
  }

  private lostMessage(reason: string | undefined): string {
    const known = reason ?? (this.currentState.kind === 'disconnected' ? this.currentState.reason : undefined);
    return `The connection with ${this.label} ended${known === undefined ? '' : ` (${known})`}.`;
  }

  private setState(state: ClientState): void {
    this.currentState = state;
    this.stateChanged.fire(state);
  }
}

async function answerWithin<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  const late = new Deferred<'late'>();
  const timer = setTimeout(() => late.resolve('late'), timeoutMs);
  try {
    const first = await Promise.race([answer, late.promise]);
    if (first !== 'late') return first;
    answer.catch(() => undefined);
    throw new Error(`it did not answer within ${timeoutMs} ms`);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with the reason of the signal as soon as that is aborted. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Deferred<undefined>();
  const onAbort = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort);
  try {
    const first = await Promise.race([work, aborted.promise.then(() => Promise.reject<T>(signal.reason as Error))]);
    signal.throwIfAborted();
    return first;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
