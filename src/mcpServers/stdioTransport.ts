import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../base/messageOf';
import type { ExecBackend, ExecProcess, ExitStatus, ProcessEvent, ProcessSpec } from '../process/execProcess';
import type { ServerLog } from './serverLog';

/** A server that sends a line longer than this is broken; the tools' own limit for clients is the same. */
const MAX_MESSAGE_BYTES = 64 * 1_024 * 1_024;

export interface StdioTransportOptions {
  readonly backend: ExecBackend;
  /** With an open stdin and no terminal. */
  readonly spec: ProcessSpec;
  readonly log: ServerLog;
}

/** The protocol as lines on the standard streams of a program that runs wherever the backend runs it. Ends it when closed. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private readonly buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  private process: ExecProcess | undefined;
  private isClosed = false;

  constructor(private readonly options: StdioTransportOptions) {}

  /** Rejects with an `Error` that says why the program does not run. */
  async start(): Promise<void> {
    const { backend, spec, log } = this.options;
    const result = await backend.start(spec);
    if (result.kind === 'failed') throw new Error(result.failure.message);
    this.process = result.process;
    log.info('started');
    result.process.onEvent((event) => {
      this.handle(event);
    });
    if (this.isClosed) await this.end(result.process);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.process === undefined || this.isClosed) throw new Error('the server does not run');
    const { kind } = await this.process.write(Buffer.from(serializeMessage(message)));
    if (kind === 'refused') throw new Error('the server has ended');
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.process !== undefined) await this.end(this.process);
    this.onclose?.();
  }

  private handle(event: ProcessEvent): void {
    switch (event.type) {
      case 'output':
        if (event.stream === 'stderr') this.options.log.serverError(event.chunk);
        else this.read(event.chunk);
        break;
      case 'gap':
        // A line of the protocol is in it, and the reply in that line would be waited for in vain.
        this.fail(`${event.bytes} bytes of its output were lost with a connection`);
        break;
      case 'exited':
        this.fail(`the server ended with ${describeEnd(event.status)}`);
        break;
      case 'closed':
        break;
    }
  }

  private read(chunk: Buffer): void {
    try {
      this.buffer.append(Buffer.from(chunk));
    } catch (error) {
      this.fail(messageOf(error));
      return;
    }
    while (this.readOne());
  }

  /** Returns whether there may be more. */
  private readOne(): boolean {
    let message: JSONRPCMessage | null;
    try {
      message = this.buffer.readMessage();
    } catch {
      this.options.log.warn('printed a line that is no message of the protocol');
      return true;
    }
    if (message === null) return false;
    this.onmessage?.(message);
    return true;
  }

  private fail(problem: string): void {
    if (this.isClosed) return;
    this.onerror?.(new Error(problem));
    this.close().catch((error: unknown) => {
      this.options.log.warn(`could not be ended: ${messageOf(error)}`);
    });
  }

  private async end(process: ExecProcess): Promise<void> {
    await process.terminate();
    process.dispose();
  }
}

function describeEnd(status: ExitStatus): string {
  switch (status.kind) {
    case 'code':
      return `exit code ${status.code}`;
    case 'signal':
      return `signal ${status.signal}`;
    case 'lost':
      return `its connection: ${status.message}`;
  }
}
