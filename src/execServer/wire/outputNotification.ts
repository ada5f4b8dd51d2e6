import type { WireStream } from './processMethods';

/** Digits of a sequence number, and the rest that is not the chunk. */
const FRAME_BYTES = 64;

/** Writes `process/output` notifications of one process, each straight into one buffer: they are most of all traffic. */
export class OutputEncoder {
  private readonly head: Buffer;

  constructor(processId: string) {
    this.head = Buffer.from(`{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":`);
  }

  encode(seq: number, stream: WireStream, chunk: Buffer): Buffer {
    const base64 = chunk.toString('base64');
    const message = Buffer.allocUnsafe(this.head.length + FRAME_BYTES + base64.length);
    let length = this.head.copy(message);
    length += message.write(`${seq},"stream":"${stream}","chunk":"`, length, 'latin1');
    length += message.write(base64, length, 'latin1');
    length += message.write('"}}', length, 'latin1');
    return message.subarray(0, length);
  }
}
