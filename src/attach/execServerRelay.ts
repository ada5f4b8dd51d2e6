/**
 * Passes on what a client of the exec-server protocol and a window say to each other, and goes on with another window when that one
 * is gone, as after a reload: Codex starts no program a second time. Of what ran in the window before, the client is told the end.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { FULL_BACKLOG_BYTES } from '../execServer/server/limits';
import type { MessageTransport } from '../execServer/transports/messageTransport';
import { StreamTransport } from '../execServer/transports/streamTransport';
import { RPC_CODES } from '../execServer/wire/rpcError';
import { isRecord, type MessageId, parseMessage, type RpcMessage } from '../execServer/wire/rpcMessage';
import type { Attachment } from './attachToWindow';
import { RunningPrograms } from './runningPrograms';

/** Of the one request that is ours, of whose answer no client hears. */
const OWN_ID = 'exec-sessions:initialize';
/** How long a window may take to reload, on a slow machine. */
const RELOAD_MS = 20_000;
/** How often it is looked for meanwhile; looking reads a few small files. */
const RETRY_MS = 250;

const WINDOW_GONE = 'The VS Code window in which this ran was closed or reloaded.';

type Attached = Extract<Attachment, { readonly kind: 'attached' }>;
type Request = Extract<RpcMessage, { readonly kind: 'request' }>;

export interface ExecServerRelayOptions {
  /** The caller closes it. */
  readonly client: MessageTransport;
  /** Where it begins. */
  readonly attached: Attached;
  /** Looks for a window again. */
  readonly attach: () => Promise<Attachment>;
  readonly log: Log;
}

export class ExecServerRelay implements Disposable {
  private window: MessageTransport | undefined;
  /** Requests of the client without an answer yet. */
  private readonly calls = new Map<MessageId, Request>();
  private readonly programs = new RunningPrograms();
  /** What the client has said of itself, for the next window. */
  private introduction: Record<string, unknown> | undefined;
  /** Messages of the client follow one another, also while a window is looked for. */
  private last: Promise<void> = Promise.resolve();
  private goneAtMs = -Infinity;
  private isDisposed = false;

  constructor(private readonly options: ExecServerRelayOptions) {
    const { client, attached, log } = options;
    this.connect(attached);
    client.onMessage((text) => {
      this.last = this.last
        .then(() => this.passToWindow(text))
        .catch((error: unknown) => log.error('A message was not passed on', error));
    });
    client.onDidDrain(() => this.window?.resume());
  }

  /** Ends the connection to the window. */
  dispose(): void {
    this.isDisposed = true;
    this.window?.close();
  }

  private async passToWindow(text: string): Promise<void> {
    const message = parseMessage(text);
    const window = this.window ?? (await this.findNextWindow(message));
    if (window === undefined) return;
    if (message.kind === 'request') this.noteRequest(message);
    window.send(text);
    if (window.backlogBytes > FULL_BACKLOG_BYTES) this.options.client.pause();
  }

  /** `undefined`: there is none, and the client has been told so if it waits for an answer. */
  private async findNextWindow(message: ReturnType<typeof parseMessage>): Promise<MessageTransport | undefined> {
    const attachment = await this.attachOnceReloaded();
    if (this.isDisposed) {
      if (attachment.kind === 'attached') attachment.socket.destroy();
      return undefined;
    }
    if (attachment.kind !== 'attached') {
      if (message.kind === 'request')
        this.answerWithError(message.id, `${attachment.message} Open one, or start Codex again.`);
      return undefined;
    }
    this.options.log.info(`attached to the VS Code window (process ${attachment.windowPid})`);
    const window = this.connect(attachment);
    if (this.introduction !== undefined) {
      const params = { ...this.introduction, resumeSessionId: null };
      window.send(JSON.stringify({ id: OWN_ID, method: 'initialize', params }));
      window.send(JSON.stringify({ method: 'initialized', params: {} }));
    }
    return window;
  }

  /** A window that reloads is there again after some seconds. */
  private async attachOnceReloaded(): Promise<Attachment> {
    for (;;) {
      const attachment = await this.options.attach();
      const isLate = performance.now() - this.goneAtMs > RELOAD_MS;
      if (attachment.kind !== 'noWindow' || isLate || this.isDisposed) return attachment;
      await delay(RETRY_MS);
    }
  }

  private connect({ socket }: Attached): MessageTransport {
    const { client } = this.options;
    const window = new StreamTransport('the window', { input: socket, output: socket });
    this.window = window;
    window.onMessage((text) => {
      if (!this.noteFromWindow(text)) return;
      client.send(text);
      if (client.backlogBytes > FULL_BACKLOG_BYTES) window.pause();
    });
    window.onDidDrain(() => client.resume());
    window.onDidClose(() => {
      if (this.window === window) this.noteWindowGone();
    });
    socket.resume();
    return window;
  }

  private noteRequest(request: Request): void {
    const { id, method, params } = request;
    this.calls.set(id, request);
    if (method === 'initialize' && isRecord(params)) this.introduction = params;
    if (method === 'process/start') this.programs.noteStart(params);
  }

  /** Whether it is for the client. */
  private noteFromWindow(text: string): boolean {
    const message = parseMessage(text);
    if (message.kind === 'notification') this.programs.noteEvent(message.method, message.params);
    if (message.kind !== 'result' && message.kind !== 'error') return true;
    if (message.id === OWN_ID) return false;
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.kind === 'error' && call?.method === 'process/start') this.programs.noteFailedStart(call.params);
    return true;
  }

  private noteWindowGone(): void {
    const { client, log } = this.options;
    this.window = undefined;
    this.goneAtMs = performance.now();
    if (this.isDisposed) return;
    log.warn('the VS Code window has gone; the next request goes to the one that is open then');
    for (const [id, { method, params }] of this.calls) {
      if (method === 'process/start') this.programs.noteFailedStart(params);
      this.answerWithError(id, WINDOW_GONE);
    }
    for (const notification of this.programs.end(WINDOW_GONE)) client.send(notification);
    client.resume();
  }

  private answerWithError(id: MessageId, message: string): void {
    this.calls.delete(id);
    this.options.client.send(JSON.stringify({ error: { code: RPC_CODES.internal, message }, id }));
  }
}
