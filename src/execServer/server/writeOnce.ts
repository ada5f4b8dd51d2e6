import type { ExecProcess } from '../../process/execProcess';
import type { WriteStatus } from '../wire/processMethods';

/** How many writes are remembered, so that one that comes again is not done again. */
const REMEMBERED_WRITES = 4_096;
/** A program that does not read has this much written for it before its writer is made to wait. */
const MAX_UNTAKEN_BYTES = 8 * 1_024 * 1_024;

/** Writes to one process, each done once by its id. */
export class WriteOnce {
  private readonly seen = new Map<string, Promise<WriteStatus>>();
  private untakenBytes = 0;
  private lastTaken: Promise<unknown> = Promise.resolve();

  constructor(private readonly process: ExecProcess) {}

  /**
   * The status when the write is on its way; with `untilTaken`, when the program's terminal or pipe has it or never will. The
   * same answer for the same id.
   */
  write(writeId: string, { bytes, untilTaken }: { bytes: Buffer; untilTaken: boolean }): Promise<WriteStatus> | WriteStatus {
    const taken = this.seen.get(writeId) ?? this.begin(writeId, bytes);
    if (untilTaken) return taken;
    return this.untakenBytes <= MAX_UNTAKEN_BYTES ? 'accepted' : this.lastTaken.then(() => 'accepted' as const);
  }

  private begin(writeId: string, bytes: Buffer): Promise<WriteStatus> {
    this.untakenBytes += bytes.length;
    const taken = this.process.write(bytes).then((result): WriteStatus => {
      this.untakenBytes -= bytes.length;
      if (result.kind === 'written') return 'accepted';
      return result.reason === 'ended' ? 'ended' : 'stdinClosed';
    });
    this.lastTaken = taken;
    this.seen.set(writeId, taken);
    if (this.seen.size > REMEMBERED_WRITES) this.forgetOldest();
    return taken;
  }

  private forgetOldest(): void {
    const [oldest] = this.seen.keys();
    if (oldest !== undefined) this.seen.delete(oldest);
  }
}
