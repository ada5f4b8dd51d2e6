import type { WireStream } from './processMethods';

/** Digits of a sequence number, and the rest that is not the chunk. */
const FRAME_BYTES = 64;
/** Smaller messages are made in memory of their own, which costs next to nothing. */
const MIN_REUSED_BYTES = 16 * 1_024;
/** Memory that waits for the next message: what a client that keeps up has on its way at once. */
const MAX_SPARES = 8;

export interface OutputMessage {
  readonly message: Buffer;
  /** To be called once, when the message is needed no more. */
  readonly release: () => void;
}

/** Writes `process/output` notifications of one process, each straight into one buffer: they are most of all traffic. */
export class OutputEncoder {
  private readonly head: Buffer;
  private readonly spares: Buffer[] = [];

  constructor(processId: string) {
    this.head = Buffer.from(`{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":`);
  }

  encode(seq: number, stream: WireStream, chunk: Buffer): OutputMessage {
    const base64 = chunk.toString('base64');
    const memory = this.take(this.head.length + FRAME_BYTES + base64.length);
    let length = this.head.copy(memory);
    length += memory.write(`${seq},"stream":"${stream}","chunk":"`, length, 'latin1');
    length += memory.write(base64, length, 'latin1');
    length += memory.write('"}}', length, 'latin1');
    return { message: memory.subarray(0, length), release: () => this.giveBack(memory) };
  }

  private take(bytes: number): Buffer {
    if (bytes < MIN_REUSED_BYTES) return Buffer.allocUnsafe(bytes);
    const spare = this.spares.pop();
    return spare !== undefined && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(bytes);
  }

  private giveBack(memory: Buffer): void {
    if (memory.length >= MIN_REUSED_BYTES && this.spares.length < MAX_SPARES) this.spares.push(memory);
  }
}
