import { Emitter } from '../base/emitter';
import type { ExitStatus, OutputStream, ProcessEvent } from './execProcess';

/** Numbers the events of one process and keeps their order: output, exited, late output, closed. */
export class ProcessEvents {
  private readonly emitter = new Emitter<ProcessEvent>();
  private seq = 0;
  private hasExited = false;
  private hasClosed = false;
  private isCloseWaiting = false;

  readonly event = this.emitter.event;

  get isExited(): boolean {
    return this.hasExited;
  }

  get isClosed(): boolean {
    return this.hasClosed;
  }

  output(stream: OutputStream, chunk: Buffer): void {
    if (chunk.length > 0 && !this.hasClosed) this.emitter.fire({ type: 'output', seq: ++this.seq, stream, chunk });
  }

  gap(bytes: number): void {
    if (!this.hasClosed) this.emitter.fire({ type: 'gap', seq: ++this.seq, bytes });
  }

  exited(status: ExitStatus, isOutputHeld: boolean): void {
    if (this.hasExited) return;
    this.hasExited = true;
    this.emitter.fire({ type: 'exited', seq: ++this.seq, status, isOutputHeld });
    if (this.isCloseWaiting) this.closed();
  }

  /** Held back until the exit is known, so that `closed` is always the last event. */
  closed(): void {
    if (this.hasClosed) return;
    if (!this.hasExited) {
      this.isCloseWaiting = true;
      return;
    }
    this.hasClosed = true;
    this.emitter.fire({ type: 'closed', seq: ++this.seq });
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
