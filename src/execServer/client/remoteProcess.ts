/** A program on the machine of an exec-server. What is asked of it is asked again after a dropped connection. */
import { randomUUID } from 'node:crypto';
import type { Event } from '../../base/emitter';
import { Deferred } from '../../base/deferred';
import { messageOf } from '../../base/messageOf';
import type {
  ExecProcess,
  InputDemand,
  ProcessEvent,
  TerminalSize,
  TerminateResult,
  WriteResult,
} from '../../process/execProcess';
import { decodeResult } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { endResult, terminateResult, writeResult } from '../wire/processMethods';
import type { ExecServerClient } from './execServerClient';
import { RemoteDemand } from './remoteDemand';
import { RemoteEvents, type RemoteProcessOptions } from './remoteEvents';

/** A write of more goes in several, so that no message is too long for any server. */
const MAX_WRITE_BYTES = 1_024 * 1_024;

export class RemoteProcess implements ExecProcess {
  pid = 0;
  readonly outlivesUs: boolean;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events: RemoteEvents;
  private readonly demand: RemoteDemand;
  private readonly gone = new Deferred<undefined>();
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: ExecServerClient,
    private readonly options: RemoteProcessOptions,
  ) {
    this.demand = new RemoteDemand(client, options);
    this.events = new RemoteEvents(client, options, () => {
      this.gone.resolve(undefined);
    });
    this.onEvent = this.events.event;
    this.outlivesUs = client.outlivesUs;
    client.register(options.processId, this.events);
  }

  /** The process runs, and is handed over in this turn. */
  begin(pid: number): void {
    this.pid = pid;
    this.events.begin();
  }

  /** It ran before this client was there: what the server keeps of its output is read. */
  readBack(): void {
    this.events.onDidResume();
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
    if (!this.events.isExited) void this.tell('process/signal', { signal: name === 'SIGINT' ? 'interrupt' : name });
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
    this.client.unregister(this.options.processId);
    this.events.dispose();
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
      this.client.report(`${method} was not done: ${messageOf(error)}`);
    }
  }
}
