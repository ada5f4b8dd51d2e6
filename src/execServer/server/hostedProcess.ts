/**
 * One process as clients of a session see it: its events numbered as they go out, the newest output kept for reading again, and
 * writes that are done once however often they are asked for.
 */
import { constants } from 'node:os';
import type {
  ExecProcess,
  ExitStatus,
  InputDemand,
  ProcessEvent,
  TerminalSize,
  TerminateResult,
} from '../../process/execProcess';
import { OutputEncoder } from '../wire/outputNotification';
import type { ReadResult, WireStream, WriteStatus } from '../wire/processMethods';
import { RpcError } from '../wire/rpcError';
import { OutputBatch } from './outputBatch';
import { RetainedOutput } from './retainedOutput';
import { WriteOnce } from './writeOnce';

/** What a shell reports for a program that a signal ended is this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;
/** What Codex's own server reports for a program on a terminal that a signal ended. */
const SIGNALLED_ON_TERMINAL_CODE = 1;
/** For an end of which nothing is known. */
const UNKNOWN_EXIT_CODE = -1;

export interface HostedProcessOptions {
  readonly processId: string;
  readonly process: ExecProcess;
  readonly note: string | undefined;
  readonly isTerminal: boolean;
  readonly takesInput: boolean;
  readonly retainedBytes: number;
  /** Sends a notification to the client, if there is one; see `MessageTransport.send`. */
  readonly notify: (message: string | Buffer, release?: () => void) => void;
  readonly onClosed: () => void;
}

export interface ReadOptions {
  readonly afterSeq: number;
  readonly maxBytes: number | undefined;
  readonly waitMs: number;
}

interface WireExit {
  readonly exitCode: number;
  readonly signal?: string;
  readonly isOutputHeld?: true;
}

export class HostedProcess {
  private readonly retained: RetainedOutput;
  private readonly encoder: OutputEncoder;
  private readonly batch: OutputBatch;
  private readonly writes: WriteOnce;
  private readonly waiters = new Set<() => void>();
  private lastSeq = 0;
  private exit: WireExit | undefined;
  private isClosed = false;
  private isPausedByBacklog = false;
  private isPausedByClient = false;

  /** Owns the process; to be made in the turn in which that was handed over. */
  constructor(private readonly options: HostedProcessOptions) {
    const { process, processId, retainedBytes } = options;
    this.retained = new RetainedOutput(retainedBytes);
    this.encoder = new OutputEncoder(processId);
    this.batch = new OutputBatch(
      (stream, bytes) => {
        this.sendOutput(stream, bytes);
      },
      () => this.retained.takeSpare(),
    );
    this.writes = new WriteOnce(process, (sentence) => this.tell(sentence));
    process.onEvent((event) => {
      this.handle(event);
    });
  }

  get note(): string | undefined {
    return this.options.note;
  }

  get pid(): number {
    return this.options.process.pid;
  }

  /** Resolves when there is something new after `afterSeq`, or after `waitMs`. */
  async read(options: ReadOptions): Promise<ReadResult> {
    this.batch.flush();
    const deadlineMs = performance.now() + options.waitMs;
    for (;;) {
      const result = this.readNow(options);
      const hasNews = result.chunks.length > 0 || this.isClosed || (result.exited && options.afterSeq < this.lastSeq);
      const leftMs = deadlineMs - performance.now();
      if (hasNews || leftMs <= 0) return result;
      await this.nextEvent(leftMs);
    }
  }

  write(writeId: string, bytes: Buffer, untilTaken: boolean): Promise<WriteStatus> | WriteStatus {
    if (!this.options.takesInput) return 'stdinClosed';
    return this.writes.write(writeId, { bytes, untilTaken });
  }

  endInput(): void {
    this.options.process.endInput();
  }

  resize(size: TerminalSize): void {
    this.options.process.resize(size);
  }

  inputDemand(): InputDemand {
    const demand = this.options.process.inputDemand();
    // What it printed before it began to wait goes out before the answer.
    this.batch.flush();
    return demand;
  }

  signal(name: NodeJS.Signals): void {
    this.refuseWhatIsHeld();
    this.options.process.signal(name);
  }

  /** Asks first, and kills what has not ended after a while. */
  end(): Promise<TerminateResult> {
    this.refuseWhatIsHeld();
    return this.options.process.terminate();
  }

  /** Kills it at once, and all that it started soon after; what an ended program has left behind goes on. */
  kill(): { readonly isRunning: boolean } {
    if (this.exit !== undefined) return { isRunning: false };
    this.refuseWhatIsHeld();
    this.options.process.signal('SIGKILL');
    void this.options.process.terminate();
    return { isRunning: true };
  }

  /** Kills it and waits until it is gone; leaves it to a person who has taken it over. */
  async shutDown(): Promise<void> {
    if (!this.isClosed && this.options.process.guard?.findEndRefusal() === undefined) {
      this.options.process.signal('SIGKILL');
      await this.options.process.terminate();
    }
    this.options.process.dispose();
  }

  setPausedByBacklog(isPaused: boolean): void {
    this.setPaused(isPaused, this.isPausedByClient);
  }

  setPausedByClient(isPaused: boolean): void {
    this.setPaused(this.isPausedByBacklog, isPaused);
  }

  /** Throws an `RpcError` for what a person has taken over. */
  private refuseWhatIsHeld(): void {
    const refusal = this.exit === undefined ? this.options.process.guard?.findEndRefusal() : undefined;
    if (refusal !== undefined) throw RpcError.invalidRequest(refusal);
  }

  private setPaused(byBacklog: boolean, byClient: boolean): void {
    const was = this.isPausedByBacklog || this.isPausedByClient;
    this.isPausedByBacklog = byBacklog;
    this.isPausedByClient = byClient;
    if (was === (byBacklog || byClient)) return;
    if (was) this.options.process.resumeOutput();
    else this.options.process.pauseOutput();
  }

  private handle(event: ProcessEvent): void {
    const { processId } = this.options;
    switch (event.type) {
      case 'output':
        this.batch.add(event.stream === 'terminal' ? 'pty' : event.stream, event.chunk);
        break;
      case 'gap':
        // Only what runs elsewhere has gaps; this server hands on what runs here.
        break;
      case 'exited':
        this.batch.flush();
        this.exit = this.describeExit(event.status, event.isOutputHeld);
        this.notify('process/exited', { processId, seq: ++this.lastSeq, ...this.exit, sandboxDenied: false });
        break;
      case 'closed':
        this.batch.flush();
        this.isClosed = true;
        this.notify('process/closed', { processId, seq: ++this.lastSeq });
        this.options.onClosed();
        break;
    }
  }

  /**
   * Says something to the client as if the program had. Codex does not look at the status of a write, and takes an error for the
   * end of the program: there is no other way to its model.
   */
  private tell(sentence: string): void {
    this.batch.flush();
    this.sendOutput(this.options.isTerminal ? 'pty' : 'stderr', Buffer.from(`\r\n[exec-sessions] ${sentence}\r\n`));
  }

  private sendOutput(stream: WireStream, bytes: Buffer): void {
    const seq = ++this.lastSeq;
    this.retained.add(seq, stream, bytes);
    const { message, release } = this.encoder.encode(seq, stream, bytes);
    this.options.notify(message, release);
    this.wake();
  }

  private notify(method: string, params: unknown): void {
    this.options.notify(JSON.stringify({ method, params }));
    this.wake();
  }

  private describeExit(status: ExitStatus, isOutputHeld: boolean): WireExit {
    const held = isOutputHeld && { isOutputHeld };
    switch (status.kind) {
      case 'code':
        return { exitCode: status.code, ...held };
      case 'signal':
        return { exitCode: this.signalExitCode(status.signal), signal: status.signal, ...held };
      case 'lost':
        return { exitCode: UNKNOWN_EXIT_CODE };
    }
  }

  private signalExitCode(signal: string): number {
    if (this.options.isTerminal) return SIGNALLED_ON_TERMINAL_CODE;
    const numbers: Partial<Record<string, number>> = constants.signals;
    // Real-time signals have no names.
    return SIGNAL_EXIT_BASE + (numbers[signal] ?? 0);
  }

  private readNow({ afterSeq, maxBytes }: ReadOptions): ReadResult & { failure: null; sandboxDenied: false } {
    const chunks = this.retained.read(afterSeq, maxBytes ?? Infinity);
    const [first] = chunks;
    const last = chunks.at(-1);
    return {
      chunks: chunks.map(({ seq, stream, bytes }) => ({ seq, stream, chunk: bytes.toString('base64') })),
      nextSeq: maxBytes === undefined || last === undefined ? this.lastSeq + 1 : last.seq + 1,
      exited: this.exit !== undefined,
      exitCode: null,
      ...this.exit,
      closed: this.isClosed,
      failure: null,
      sandboxDenied: false,
      startOffset: first?.offset ?? this.retained.totalBytes,
    };
  }

  private nextEvent(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.waiters.add(done);
    });
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter();
  }
}
