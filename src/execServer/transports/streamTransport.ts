import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '../../base/emitter';
import { MAX_MESSAGE_BYTES, type MessageTransport } from './messageTransport';

const NEWLINE = 0x0a;

/** How long an end may take to be explained, such as by the exit of a program. */
const EXPLAIN_MS = 1_000;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Called once at the end, for what hangs on the streams; `isOurs`: it was closed from here. */
  readonly release?: (isOurs: boolean) => void;
  /** Why the other end is gone, where that is known better than from the streams. */
  readonly describeEnd?: () => Promise<string>;
}

/** Messages as lines over two byte streams: standard input and output, a socket, or a pair in memory. */
export class StreamTransport implements MessageTransport {
  private readonly messages = new Emitter<string>();
  private readonly closed = new Emitter<string>();
  private readonly drained = new Emitter<void>();
  private partialLine: Buffer[] = [];
  private partialBytes = 0;
  private isClosed = false;

  readonly onMessage = this.messages.event;
  readonly onDidClose = this.closed.event;
  readonly onDidDrain = this.drained.event;

  /** Owns the streams. */
  constructor(
    readonly label: string,
    private readonly streams: Streams,
  ) {
    const { input, output } = streams;
    input.on('data', (chunk: Buffer) => {
      this.take(chunk);
    });
    input.on('end', () => {
      this.end('the other end closed it');
    });
    input.on('close', () => {
      this.end('it was closed');
    });
    input.on('error', (error) => {
      this.end(error.message);
    });
    output.on('error', (error) => {
      this.end(error.message);
    });
    output.on('drain', () => {
      this.drained.fire();
    });
  }

  get backlogBytes(): number {
    return this.streams.output.writableLength;
  }

  send(message: string | Buffer, release?: () => void): void {
    if (this.isClosed) {
      release?.();
      return;
    }
    const { output } = this.streams;
    if (typeof message === 'string') {
      output.write(`${message}\n`, release);
      return;
    }
    output.cork();
    output.write(message, release);
    output.write('\n');
    output.uncork();
  }

  pause(): void {
    this.streams.input.pause();
  }

  resume(): void {
    if (!this.isClosed) this.streams.input.resume();
  }

  probe(): void {
    // Pipes and sockets of one machine break at once, and a program in between has its own ways to know.
  }

  close(): void {
    this.end('it was closed from here', true);
  }

  private take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.partialLine.push(chunk.subarray(start, end));
      const line = this.partialLine.length === 1 ? chunk.subarray(start, end) : Buffer.concat(this.partialLine);
      this.partialLine = [];
      this.partialBytes = 0;
      start = end + 1;
      const text = line.toString('utf8');
      // A line end of Windows is white space to JSON; a line of nothing else is no message.
      if (text.trim() !== '') this.messages.fire(text);
    }
    if (start === chunk.length) return;
    this.partialLine.push(start === 0 ? chunk : chunk.subarray(start));
    this.partialBytes += chunk.length - start;
    if (this.partialBytes > MAX_MESSAGE_BYTES) this.end(`a message of more than ${MAX_MESSAGE_BYTES} bytes came`);
  }

  private end(reason: string, isOurs = false): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { input, output, release, describeEnd } = this.streams;
    input.destroy();
    output.end();
    release?.(isOurs);
    if (describeEnd === undefined || isOurs) {
      this.closed.fire(reason);
      return;
    }
    const late = delay(EXPLAIN_MS, reason, { ref: false });
    void Promise.race([describeEnd(), late]).then((explained) => {
      this.closed.fire(explained);
    });
  }
}
