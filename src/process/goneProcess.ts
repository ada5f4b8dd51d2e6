import { Emitter } from '../base/emitter';
import type { ExecProcess, InputDemand, ProcessEvent, TerminateResult, WriteResult } from './execProcess';

/** A program that went away together with the one that ran it: nothing comes of it any more. */
export class GoneProcess implements ExecProcess {
  readonly pid = 0;
  readonly outlivesUs = false;
  readonly onEvent = new Emitter<ProcessEvent>().event;

  write(): Promise<WriteResult> {
    return Promise.resolve({ kind: 'refused', reason: 'ended' });
  }

  inputDemand(): InputDemand {
    return { kind: 'none' };
  }

  terminate(): Promise<TerminateResult> {
    return Promise.resolve('ended');
  }

  endInput(): void {
    // Nobody takes it.
  }

  pauseOutput(): void {
    // There is none.
  }

  resumeOutput(): void {
    // There is none.
  }

  resize(): void {
    // It has no terminal any more.
  }

  signal(): void {
    // Nobody gets it.
  }

  dispose(): void {
    // It holds nothing.
  }
}
