/** The events of a remote program as the port wants them: in order, without a gap that is not counted, and with an end. */
import type { ExitStatus, OutputStream } from '../../process/execProcess';
import { ProcessEvents } from '../../process/processEvents';
import { decodeResult } from '../wire/decode';
import {
  closedParams,
  exitedParams,
  outputParams,
  type ReadResult,
  readResult,
  type WireStream,
} from '../wire/processMethods';
import { EventOrder } from './eventOrder';
import type { ExecServerClient, ProcessSink } from './execServerClient';

/** Notifications may overtake each other, but not for this long: then what is missing is read. */
const HOLE_MS = 250;
/** Servers other than ours may tell of an exit before the last of the output, which then is on its way. */
const LATE_OUTPUT_MS = 50;

export interface RemoteProcessOptions {
  readonly processId: string;
  readonly hasExtensions: boolean;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal?: string | undefined;
  readonly isOutputHeld?: boolean | undefined;
}

type WireEvent =
  | { readonly type: 'output'; readonly stream: WireStream; readonly bytes: Buffer }
  | { readonly type: 'exited'; readonly exit: Exit }
  | { readonly type: 'closed' };

export class RemoteEvents implements ProcessSink {
  private readonly events = new ProcessEvents();
  private readonly order = new EventOrder<WireEvent>((event) => {
    this.deliver(event);
  });
  /** What comes before the process was handed over waits until somebody can have subscribed. */
  private early: (() => void)[] | undefined = [];
  private receivedBytes = 0;
  private holeTimer: NodeJS.Timeout | undefined;
  private lateOutput: { readonly timer: NodeJS.Timeout; readonly status: ExitStatus } | undefined;
  private isReading = false;

  readonly event = this.events.event;

  constructor(
    private readonly client: ExecServerClient,
    private readonly options: RemoteProcessOptions,
    private readonly onExited: () => void,
  ) {}

  get isExited(): boolean {
    return this.events.isExited;
  }

  get isClosed(): boolean {
    return this.events.isClosed;
  }

  /** The process is handed over in this turn. */
  begin(): void {
    setImmediate(() => {
      const early = this.early ?? [];
      this.early = undefined;
      for (const handle of early) handle();
    });
  }

  dispose(): void {
    clearTimeout(this.holeTimer);
    clearTimeout(this.lateOutput?.timer);
    this.events.dispose();
  }

  onNotification(method: string, params: Record<string, unknown>): void {
    const told = decodeEvent(method, params);
    // A newer server may tell more.
    if (told === undefined) return;
    this.whenBegun(() => {
      this.order.add(told.seq, told.event);
      this.watchHole();
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
    this.onExited();
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
}

/** Throws an `RpcError` for what is not as agreed. */
function decodeEvent(method: string, params: unknown): { readonly seq: number; readonly event: WireEvent } | undefined {
  switch (method) {
    case 'process/output': {
      const { seq, stream, chunk } = decodeResult(outputParams, method, params);
      return { seq, event: { type: 'output', stream, bytes: Buffer.from(chunk, 'base64') } };
    }
    case 'process/exited': {
      const exit = decodeResult(exitedParams, method, params);
      return { seq: exit.seq, event: { type: 'exited', exit } };
    }
    case 'process/closed':
      return { seq: decodeResult(closedParams, method, params).seq, event: { type: 'closed' } };
    default:
      return undefined;
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
