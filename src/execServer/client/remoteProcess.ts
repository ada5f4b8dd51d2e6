/** A program on the machine of an exec-server: its events in order and without a gap, also over a dropped connection. */
import { randomUUID } from 'node:crypto';
import type { Event } from '../../base/emitter';
import { Deferred } from '../../base/deferred';
import type {
  ExecProcess,
  ExitStatus,
  InputDemand,
  OutputStream,
  ProcessEvent,
  TerminalSize,
  TerminateResult,
  WriteResult,
} from '../../process/execProcess';
import { ProcessEvents } from '../../process/processEvents';
import { decodeResult } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import {
  closedParams,
  endResult,
  exitedParams,
  outputParams,
  type ReadResult,
  readResult,
  terminateResult,
  type WireStream,
  writeResult,
} from '../wire/processMethods';
import type { ExecServerClient, ProcessSink } from './execServerClient';
import { EventOrder } from './eventOrder';
import { RemoteDemand } from './remoteDemand';

/** A write of more goes in several, so that no message is too long for any server. */
const MAX_WRITE_BYTES = 1_024 * 1_024;
/** Notifications may overtake each other, but not for this long: then what is missing is read. */
const HOLE_MS = 250;
/** Servers other than ours may tell of an exit before the last of the output, which then is on its way. */
const LATE_OUTPUT_MS = 50;

interface Exit {
  readonly exitCode: number | null;
  readonly signal?: string | undefined;
  readonly isOutputHeld?: boolean | undefined;
}

type WireEvent =
  | { readonly type: 'output'; readonly stream: WireStream; readonly bytes: Buffer }
  | { readonly type: 'exited'; readonly exit: Exit }
  | { readonly type: 'closed' };

export interface RemoteProcessOptions {
  readonly processId: string;
  readonly hasExtensions: boolean;
}

export class RemoteProcess implements ExecProcess, ProcessSink {
  pid = 0;
  readonly outlivesUs: boolean;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events = new ProcessEvents();
  private readonly order = new EventOrder<WireEvent>((event) => {
    this.deliver(event);
  });
  /** What comes before the process was handed over waits until somebody can have subscribed. */
  private early: (() => void)[] | undefined = [];
  private readonly demand: RemoteDemand;
  private readonly gone = new Deferred<undefined>();
  private lastWrite: Promise<unknown> = Promise.resolve();
  private receivedBytes = 0;
  private holeTimer: NodeJS.Timeout | undefined;
  private lateOutput: { readonly timer: NodeJS.Timeout; readonly status: ExitStatus } | undefined;
  private isReading = false;

  constructor(
    private readonly client: ExecServerClient,
    private readonly options: RemoteProcessOptions,
  ) {
    this.onEvent = this.events.event;
    this.outlivesUs = client.outlivesUs;
    this.demand = new RemoteDemand(client, options);
  }

  /** The process runs, and is handed over in this turn. */
  begin(pid: number): void {
    this.pid = pid;
    setImmediate(() => {
      const early = this.early ?? [];
      this.early = undefined;
      for (const handle of early) handle();
    });
  }

  write(bytes: Buffer): Promise<WriteResult> {
    const result = this.lastWrite.then(() => this.writeAll(bytes));
    this.lastWrite = result;
    return result;
  }

  inputDemand(): InputDemand {
    return this.events.isExited ? { kind: 'none' } : this.demand.latest();
  }

  endInput(): void {
    this.lastWrite = this.lastWrite.then(() => this.tell(EXTENSION_METHODS.endInput));
  }

  pauseOutput(): void {
    void this.tell(EXTENSION_METHODS.pauseOutput);
  }

  resumeOutput(): void {
    void this.tell(EXTENSION_METHODS.resumeOutput);
  }

  resize(size: TerminalSize): void {
    if (!this.events.isExited) void this.tell(EXTENSION_METHODS.resize, { size });
  }

  signal(name: NodeJS.Signals): void {
    if (this.events.isExited) return;
    if (name === 'SIGINT') void this.tell('process/signal', { signal: 'interrupt' });
    else void this.tell('process/signal', { signal: name });
  }

  async terminate(): Promise<TerminateResult> {
    if (this.events.isClosed) return 'ended';
    try {
      const how = this.options.hasExtensions ? await this.askToEnd() : await this.kill();
      await this.gone.promise;
      return how;
    } catch {
      // The session is gone: its server ends what it ran.
      return 'killed';
    }
  }

  dispose(): void {
    clearTimeout(this.holeTimer);
    clearTimeout(this.lateOutput?.timer);
    this.client.unregister(this.options.processId);
    this.events.dispose();
  }

  onNotification(method: string, params: Record<string, unknown>): void {
    this.whenBegun(() => {
      this.handle(method, params);
    });
  }

  onDidResume(): void {
    this.whenBegun(() => {
      void this.readMissing();
    });
  }

  onDidLose(message: string): void {
    this.whenBegun(() => {
      this.exit({ kind: 'lost', message }, false);
      this.close();
    });
  }

  private whenBegun(handle: () => void): void {
    if (this.early === undefined) handle();
    else this.early.push(handle);
  }

  private handle(method: string, params: Record<string, unknown>): void {
    if (method === 'process/output') this.takeOutput(params);
    else if (method === 'process/exited') {
      const exit = decodeResult(exitedParams, method, params);
      this.order.add(exit.seq, { type: 'exited', exit });
    } else if (method === 'process/closed') {
      this.order.add(decodeResult(closedParams, method, params).seq, { type: 'closed' });
    }
    this.watchHole();
  }

  private takeOutput(params: Record<string, unknown>): void {
    const { seq, stream, chunk } = decodeResult(outputParams, 'process/output', params);
    this.order.add(seq, { type: 'output', stream, bytes: Buffer.from(chunk, 'base64') });
  }

  private deliver(event: WireEvent): void {
    switch (event.type) {
      case 'output':
        this.receivedBytes += event.bytes.length;
        this.events.output(streamOf(event.stream), event.bytes);
        break;
      case 'exited':
        this.handleExit(event.exit);
        break;
      case 'closed':
        this.close();
        break;
    }
  }

  private handleExit(exit: Exit): void {
    const status = statusOf(exit);
    if (this.options.hasExtensions) {
      this.exit(status, exit.isOutputHeld === true);
      return;
    }
    const timer = setTimeout(() => this.exit(status, true), LATE_OUTPUT_MS);
    this.lateOutput = { timer, status };
  }

  private exit(status: ExitStatus, isOutputHeld: boolean): void {
    clearTimeout(this.lateOutput?.timer);
    this.lateOutput = undefined;
    this.events.exited(status, isOutputHeld);
    this.gone.resolve(undefined);
  }

  private close(): void {
    if (this.lateOutput !== undefined) this.exit(this.lateOutput.status, false);
    this.client.unregister(this.options.processId);
    clearTimeout(this.holeTimer);
    this.events.closed();
  }

  private watchHole(): void {
    if (!this.order.hasHole) {
      clearTimeout(this.holeTimer);
      this.holeTimer = undefined;
    } else {
      this.holeTimer ??= setTimeout(() => {
        this.holeTimer = undefined;
        if (this.order.hasHole) void this.readMissing();
      }, HOLE_MS);
    }
  }

  /** Reads what the server keeps and was never pushed. */
  private async readMissing(): Promise<void> {
    if (this.isReading || this.events.isClosed) return;
    this.isReading = true;
    try {
      const params = { processId: this.options.processId, afterSeq: this.order.lastSeq, maxBytes: null, waitMs: 0 };
      const answer = await this.client.callAgain('process/read', params);
      this.takeRead(decodeResult(readResult, 'process/read', answer));
    } catch (error) {
      this.onDidLose(error instanceof Error ? `${error.message}.` : String(error));
    } finally {
      this.isReading = false;
    }
  }

  private takeRead(read: ReadResult): void {
    for (const { seq, stream, chunk } of read.chunks) {
      if (seq > this.order.lastSeq + 1) this.skipOutput(seq - 1, read.startOffset);
      this.order.add(seq, { type: 'output', stream, bytes: Buffer.from(chunk, 'base64') });
    }
    if (read.chunks.length === 0) this.skipOutput(read.nextSeq - 1, read.startOffset);
    this.order.skipTo(read.nextSeq - 1);
    if (read.exited && !this.events.isExited && this.lateOutput === undefined) this.handleExit(read);
    if (read.closed) this.close();
  }

  /** What the server no longer has is counted, where it tells how much that is. */
  private skipOutput(seq: number, offset: number | undefined): void {
    if (offset !== undefined && offset > this.receivedBytes) {
      this.events.gap(offset - this.receivedBytes);
      this.receivedBytes = offset;
    }
    this.order.skipTo(seq);
  }

  private async writeAll(bytes: Buffer): Promise<WriteResult> {
    for (let start = 0; start === 0 || start < bytes.length; start += MAX_WRITE_BYTES) {
      const result = await this.writePart(bytes.subarray(start, start + MAX_WRITE_BYTES));
      if (result.kind === 'refused') return result;
    }
    return { kind: 'written' };
  }

  private async writePart(bytes: Buffer): Promise<WriteResult> {
    if (this.events.isExited) return { kind: 'refused', reason: 'ended' };
    // The same id after a drop: what has arrived is not written again.
    const params = {
      processId: this.options.processId,
      writeId: randomUUID(),
      chunk: bytes.toString('base64'),
      untilTaken: true,
    };
    this.demand.forget();
    try {
      const answer = await this.client.callAgain('process/write', params);
      const { status } = decodeResult(writeResult, 'process/write', answer);
      this.demand.forget();
      if (status === 'accepted') return { kind: 'written' };
      return { kind: 'refused', reason: status === 'stdinClosed' ? 'noInput' : 'ended' };
    } catch {
      // The session is gone, which its processes are told as their end.
      return { kind: 'refused', reason: 'ended' };
    }
  }

  private async askToEnd(): Promise<TerminateResult> {
    const answer = await this.client.callAgain(EXTENSION_METHODS.end, { processId: this.options.processId });
    return decodeResult(endResult, EXTENSION_METHODS.end, answer).how;
  }

  private async kill(): Promise<TerminateResult> {
    const answer = await this.client.callAgain('process/terminate', { processId: this.options.processId });
    return decodeResult(terminateResult, 'process/terminate', answer).running ? 'killed' : 'ended';
  }

  /** For what nobody waits for: it does nothing after the end, and nothing on a server that does not know it. */
  private async tell(method: string, params: Record<string, unknown> = {}): Promise<void> {
    try {
      await this.client.callAgain(method, { processId: this.options.processId, ...params });
    } catch (error) {
      this.client.report(`${method} was not done: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function streamOf(stream: WireStream): OutputStream {
  return stream === 'pty' ? 'terminal' : stream;
}

function statusOf({ exitCode, signal }: Exit): ExitStatus {
  if (signal !== undefined) return { kind: 'signal', signal };
  if (exitCode === null || exitCode < 0) return { kind: 'lost', message: 'The server does not know how it ended.' };
  return { kind: 'code', code: exitCode };
}
