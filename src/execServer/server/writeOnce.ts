import type { ExecProcess } from '../../process/execProcess';
import type { WriteStatus } from '../wire/processMethods';

/** How many writes are remembered, so that one that comes again is not done again. */
const REMEMBERED_WRITES = 4_096;
/** A program that does not read has this much written for it before its writer is made to wait. */
const MAX_UNTAKEN_BYTES = 8 * 1_024 * 1_024;

/** Writes to one process, each done once by its id. */
export class WriteOnce {
  private readonly seen = new Map<string, Promise<WriteStatus> | WriteStatus>();
  private untakenBytes = 0;
  private lastTaken: Promise<unknown> = Promise.resolve();

  /** `tellRefusal` is given the sentence of the guard for each write that it refuses. */
  constructor(
    private readonly process: ExecProcess,
    private readonly tellRefusal: (sentence: string) => void,
  ) {}

  /**
   * The status when the write is on its way; with `untilTaken`, when the program's terminal or pipe has it or never will. The
   * same answer for the same id. `stdinClosed` too for what is a person's to write now.
   */
  write(writeId: string, { bytes, untilTaken }: { bytes: Buffer; untilTaken: boolean }): Promise<WriteStatus> | WriteStatus {
    const taken = this.seen.get(writeId) ?? this.begin(writeId, bytes);
    if (untilTaken || typeof taken === 'string') return taken;
    return this.untakenBytes <= MAX_UNTAKEN_BYTES ? 'accepted' : this.lastTaken.then(() => 'accepted' as const);
  }

  private begin(writeId: string, bytes: Buffer): Promise<WriteStatus> | WriteStatus {
    const refusal = this.process.guard?.findWriteRefusal(bytes);
    if (refusal !== undefined) {
      this.tellRefusal(refusal);
      this.remember(writeId, 'stdinClosed');
      return 'stdinClosed';
    }
    this.untakenBytes += bytes.length;
    const taken = this.process.write(bytes).then((result): WriteStatus => {
      this.untakenBytes -= bytes.length;
      if (result.kind === 'written') return 'accepted';
      return result.reason === 'ended' ? 'ended' : 'stdinClosed';
    });
    this.lastTaken = taken;
    this.remember(writeId, taken);
    return taken;
  }

  private remember(writeId: string, status: Promise<WriteStatus> | WriteStatus): void {
    this.seen.set(writeId, status);
    if (this.seen.size > REMEMBERED_WRITES) this.forgetOldest();
  }

  private forgetOldest(): void {
    const [oldest] = this.seen.keys();
    if (oldest !== undefined) this.seen.delete(oldest);
  }
}
