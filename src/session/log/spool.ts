/**
 * Where output goes that memory has no room for: one file per session that needs it, in a folder that nobody else can enter.
 * Where the system allows it a file has no name from the moment that it exists, so that not even a crash leaves it behind.
 */
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../base/disposable';

export interface SpoolBudget {
  /** What one session may keep on disk, in bytes. */
  readonly sessionBytes: number;
  /** What all sessions of a folder may keep on disk together, in bytes. */
  readonly totalBytes: number;
}

/** A night of verbose builds fits in; a program gone wild does not fill a disk. */
export const DEFAULT_SPOOL_BUDGET: SpoolBudget = { sessionBytes: 256 * 1_024 * 1_024, totalBytes: 1_024 * 1_024 * 1_024 };

const OWNER_ONLY_FILE = 0o600;
/** Windows does not remove open files; there they go when they are closed. */
const CAN_REMOVE_OPEN_FILES = process.platform !== 'win32';

export class SpoolFolder implements Disposable {
  private readonly spools = new Set<Spool>();
  private folder: string | undefined;
  private nextName = 1;
  private used = 0;

  /** Makes its folder in `parentFolder` at the first use. */
  constructor(
    private readonly parentFolder: string,
    private readonly budget: () => SpoolBudget = () => DEFAULT_SPOOL_BUDGET,
  ) {}

  /** Bytes on disk right now. */
  get usedBytes(): number {
    return this.used;
  }

  /** `makeRoom` is asked, as often as it says that it has, to dispose another spool where there is no room in all. */
  createSpool(makeRoom: () => boolean = () => false): Spool {
    const spool = new Spool({
      openFile: () => this.openFile(),
      reserve: (bytes, ownBytes) => this.reserve(bytes, ownBytes, makeRoom),
      release: (bytes) => {
        this.used -= bytes;
        this.spools.delete(spool);
      },
    });
    this.spools.add(spool);
    return spool;
  }

  dispose(): void {
    for (const spool of this.spools) spool.dispose();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  private reserve(bytes: number, ownBytes: number, makeRoom: () => boolean): boolean {
    const { sessionBytes, totalBytes } = this.budget();
    if (ownBytes + bytes > Math.min(sessionBytes, totalBytes)) return false;
    while (this.used + bytes > totalBytes) if (!makeRoom()) return false;
    this.used += bytes;
    return true;
  }

  private openFile(): OpenFile {
    // mkdtemp makes the folder with mode 0700 and a name that cannot be foreseen.
    this.folder ??= mkdtempSync(path.join(this.parentFolder, 'exec-sessions-'));
    const file = path.join(this.folder, String(this.nextName++));
    // Exclusive: never through a link or into a file that somebody else put there.
    const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY_FILE);
    if (CAN_REMOVE_OPEN_FILES) unlinkSync(file);
    return {
      fd,
      close: () => {
        closeSync(fd);
        if (!CAN_REMOVE_OPEN_FILES) rmSync(file, { force: true });
      },
    };
  }
}

interface OpenFile {
  readonly fd: number;
  close(): void;
}

interface SpoolOptions {
  readonly openFile: () => OpenFile;
  readonly reserve: (bytes: number, ownBytes: number) => boolean;
  readonly release: (bytes: number) => void;
}

/** The file of one session: appended to, and read from anywhere. */
export class Spool implements Disposable {
  private file: OpenFile | undefined;
  private size = 0;
  private isBroken = false;

  constructor(private readonly options: SpoolOptions) {}

  /** On disk right now. */
  get usedBytes(): number {
    return this.size;
  }

  /** Returns where in the file the bytes lie now; `undefined` where a budget or the disk has no room for them. */
  append(bytes: Buffer): number | undefined {
    if (this.isBroken || !this.options.reserve(bytes.length, this.size)) return undefined;
    const position = this.size;
    this.size += bytes.length;
    try {
      this.file ??= this.options.openFile();
      // To the page cache: far less than a millisecond for a block.
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.file.fd, bytes, done, bytes.length - done, position + done);
      }
      return position;
    } catch {
      // A full or vanished disk. What comes now is counted as dropped, like beyond a budget.
      this.isBroken = true;
      return undefined;
    }
  }

  /** Fewer bytes than asked for only where the file has become unreadable. */
  read(position: number, byteCount: number): Buffer {
    const bytes = Buffer.alloc(byteCount);
    if (this.file === undefined) return bytes.subarray(0, 0);
    return bytes.subarray(0, readSync(this.file.fd, bytes, 0, byteCount, position));
  }

  dispose(): void {
    this.file?.close();
    this.file = undefined;
    this.options.release(this.size);
    this.size = 0;
    this.isBroken = true;
  }
}
