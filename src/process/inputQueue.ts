import { setTimeout as delay } from 'node:timers/promises';
import type { WriteResult } from './execProcess';

/** A program that does not read: ask again after 1 ms, then ever more rarely, so that a blocked write costs no processor time. */
const FIRST_RETRY_MS = 1;
const LONGEST_RETRY_MS = 32;

export interface InputSink {
  /** Writes what it can at once and returns the count; `'full'` to be asked again later, `'gone'` when nobody will ever read. */
  writeSome(bytes: Buffer): number | 'full' | 'gone';
  /** Called once per write, right before its first byte. */
  prepare(bytes: Buffer): Buffer;
}

/** Writes in order and each one whole, whoever they come from. */
export class InputQueue {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly sink: InputSink) {}

  write(bytes: Buffer): Promise<WriteResult> {
    const result = this.last.then(() => this.writeAll(bytes));
    this.last = result;
    return result;
  }

  private async writeAll(unprepared: Buffer): Promise<WriteResult> {
    let rest = this.sink.prepare(unprepared);
    let retryMs = FIRST_RETRY_MS;
    while (rest.length > 0) {
      const count = this.sink.writeSome(rest);
      if (count === 'gone') return { kind: 'refused', reason: 'ended' };
      if (count === 'full') {
        await delay(retryMs);
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
      } else {
        rest = rest.subarray(count);
        retryMs = FIRST_RETRY_MS;
      }
    }
    return { kind: 'written' };
  }
}
