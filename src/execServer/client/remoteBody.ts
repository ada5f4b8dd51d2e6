import { Readable } from 'node:stream';
import { decodeResult } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { BODY_DELTA, bodyDeltaParams } from '../wire/httpMethods';
import type { Attachment, ExecServerClient, StreamSink } from './execServerClient';

/** With so much unread, the server is asked to wait. */
const HIGH_WATER_MARK_BYTES = 1_024 * 1_024;
/** With so much unread from a server that cannot wait, the body is given up: it must not fill the memory. */
export const MAX_UNREAD_BYTES = 64 * 1_024 * 1_024;

export interface RemoteBodyOptions {
  readonly client: ExecServerClient;
  readonly attachment: Attachment;
  readonly signal: AbortSignal | undefined;
}

/** The body of one response as it comes over the wire; fails with its connection, with the signal, and for a missing part. */
export class RemoteBody extends Readable implements StreamSink {
  private lastSeq = 0;
  /** The server was asked to wait. */
  private isHeldBack = false;
  /** The server has nothing more to send. */
  private isOver = false;
  private readonly release: () => void;

  /** To be called before the request is made: parts of the body may come together with its answer. */
  constructor(
    private readonly requestId: string,
    private readonly options: RemoteBodyOptions,
  ) {
    super({ highWaterMark: HIGH_WATER_MARK_BYTES });
    const { client, attachment, signal } = options;
    const abort = (): void => {
      this.destroy(signal?.reason as Error);
    };
    const closing = attachment.connection.onDidClose((reason) => {
      this.isOver = true;
      this.destroy(new Error(`the connection with ${client.label} ended (${reason})`));
    });
    this.release = () => {
      client.unregisterStream(requestId);
      closing.dispose();
      signal?.removeEventListener('abort', abort);
    };
    // Whoever is not yet or no longer reading is told by the stream when he does.
    this.on('error', () => undefined);
    signal?.addEventListener('abort', abort);
    client.registerStream(requestId, this);
  }

  /** `answer`, unless the body fails before. */
  unlessItFails<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.once('error', reject);
      answer.then(resolve, reject);
    });
  }

  /** There will be no response. `isAnswered`: the server has said so itself. */
  abandon(isAnswered: boolean): void {
    this.isOver ||= isAnswered;
    this.destroy();
  }

  onNotification(method: string, params: Record<string, unknown>): void {
    if (method !== BODY_DELTA || this.destroyed) return;
    const { seq, deltaBase64: delta, done, error } = decodeResult(bodyDeltaParams, method, params);
    this.isOver = done === true;
    if (seq !== this.lastSeq + 1) {
      this.destroy(new Error(`part ${seq} of the body came where ${this.lastSeq + 1} was due`));
      return;
    }
    this.lastSeq = seq;
    if (delta.length > 0) this.append(delta);
    if (done !== true) return;
    if (error === undefined) this.push(null);
    else this.destroy(new Error(error));
  }

  override _read(): void {
    if (this.isHeldBack && !this.isOver) this.holdBack(false);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.release();
    if (!this.isOver) this.tell(EXTENSION_METHODS.cancelRequest);
    done(error);
  }

  private append(delta: Buffer): void {
    if (this.push(delta) || this.isHeldBack) return;
    if (this.options.attachment.hasExtensions) this.holdBack(true);
    else if (this.readableLength > MAX_UNREAD_BYTES) {
      this.destroy(new Error(`more than ${MAX_UNREAD_BYTES} bytes of the body are unread, and its server does not wait`));
    }
  }

  private holdBack(isHeldBack: boolean): void {
    this.isHeldBack = isHeldBack;
    this.tell(isHeldBack ? EXTENSION_METHODS.pauseBody : EXTENSION_METHODS.resumeBody);
  }

  /** Servers other than ours know nothing of it, and send what nobody takes. */
  private tell(method: string): void {
    const { connection, hasExtensions } = this.options.attachment;
    if (!hasExtensions) return;
    // The connection has ended, and with it the request.
    connection.request(method, { requestId: this.requestId }).catch(() => undefined);
  }
}
