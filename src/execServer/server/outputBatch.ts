import type { WireStream } from '../wire/processMethods';

/** What a batch takes before it goes out: far below what clients take as one message, far above what a terminal gives at once. */
const MAX_BATCH_BYTES = 48 * 1_024;
/** How long output waits for more of it while a lot is coming; nobody notices. */
const GATHER_MS = 2;
/** So many pieces after a pause of that length go out at once: an answer comes in one or two, a flood does not. */
const MAX_AT_ONCE = 4;

/** Joins the many small pieces of a flood, and holds up nothing else. */
export class OutputBatch {
  /** Made with the first output that waits. */
  private gathered: Buffer | undefined;
  private bytes = 0;
  private stream: WireStream = 'pty';
  private timer: NodeJS.Timeout | undefined;
  private lastMs = -Infinity;
  private sentSinceQuiet = 0;

  /** `send` owns the bytes that it is given. `takeSpare` gives memory that nobody uses, if there is any. */
  constructor(
    private readonly send: (stream: WireStream, bytes: Buffer) => void,
    private readonly takeSpare: () => Buffer | undefined,
  ) {}

  /** Copies `chunk`. */
  add(stream: WireStream, chunk: Buffer): void {
    if (stream !== this.stream) this.flush();
    this.stream = stream;
    const nowMs = performance.now();
    const mayGoAtOnce = this.mayGoAtOnce(nowMs);
    this.lastMs = nowMs;
    if (this.bytes === 0 && chunk.length <= MAX_BATCH_BYTES && mayGoAtOnce) {
      this.send(stream, Buffer.from(chunk));
      return;
    }
    for (let start = 0; start < chunk.length;) {
      const gathered = (this.gathered ??= this.takeSpare() ?? Buffer.allocUnsafeSlow(MAX_BATCH_BYTES));
      const count = chunk.copy(gathered, this.bytes, start);
      this.bytes += count;
      start += count;
      if (this.bytes === gathered.length) this.flush();
    }
    if (this.bytes > 0) this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.gathered === undefined || this.bytes === 0) return;
    const { gathered } = this;
    const bytes = gathered.subarray(0, this.bytes);
    this.bytes = 0;
    if (bytes.length >= MAX_BATCH_BYTES / 2) {
      // Handed over as it is: to copy it would only make work for the collector.
      this.gathered = undefined;
      this.send(this.stream, bytes);
    } else {
      this.send(this.stream, Buffer.from(bytes));
    }
  }

  private mayGoAtOnce(nowMs: number): boolean {
    if (nowMs - this.lastMs > GATHER_MS) this.sentSinceQuiet = 0;
    return this.sentSinceQuiet++ < MAX_AT_ONCE;
  }
}
