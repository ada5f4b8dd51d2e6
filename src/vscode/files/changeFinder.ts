import type { DirectoryEntry, ExecutorFileSystem } from '../../files/executorFileSystem';
import { isNotFound } from '../../files/fileError';

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** How many folders are looked at: those that were listed last, far more than fit on a screen. */
export const MAX_FOLLOWED_FOLDERS = 100;

const GONE = 'gone';

interface KnownFolder {
  readonly names: ReadonlySet<string>;
  /** When it last changed, as far as that was asked after it was listed. */
  readonly stamp: string | undefined;
}

/** Finds what others have changed among the files of one machine, by looking again at what was looked at before. */
export class ChangeFinder {
  private files = new Map<string, string>();
  /** The one listed last comes last. */
  private readonly folders = new Map<string, KnownFolder>();

  /** From now on it is told what is added to the folder and what goes. */
  noteListing(folder: string, entries: readonly DirectoryEntry[]): void {
    this.follow(folder, { names: new Set(entries.map(({ name }) => name)), stamp: undefined });
    const [oldest] = this.folders.keys();
    if (this.folders.size > MAX_FOLLOWED_FOLDERS && oldest !== undefined) this.folders.delete(oldest);
  }

  /** What has changed since the last time among `openFiles`, which are asked for one by one, and in the folders. */
  async find(machine: ExecutorFileSystem, openFiles: readonly string[]): Promise<ReadonlyMap<string, ChangeKind>> {
    const changes = new Map<string, ChangeKind>();
    const known = this.files;
    this.files = new Map();
    await Promise.all([
      ...openFiles.map(async (file) => {
        const before = known.get(file);
        // What cannot be asked for is taken to be as it was.
        const now = (await stampOf(machine, file)) ?? before;
        if (now === undefined) return;
        this.files.set(file, now);
        if (before === undefined || before === now) return;
        changes.set(file, now === GONE ? 'deleted' : before === GONE ? 'created' : 'changed');
      }),
      ...[...this.folders].map(([folder, before]) => this.compare(machine, folder, { before, changes })),
    ]);
    return changes;
  }

  private async compare(
    machine: ExecutorFileSystem,
    folder: string,
    { before, changes }: { readonly before: KnownFolder; readonly changes: Map<string, ChangeKind> },
  ): Promise<void> {
    const stamp = await stampOf(machine, folder);
    if (stamp === undefined || stamp === before.stamp) return;
    if (stamp === GONE) {
      this.folders.delete(folder);
      return;
    }
    const entries = await machine.readDirectory(folder).catch(() => undefined);
    // Meanwhile it was listed anew, or is not followed any more.
    if (entries === undefined || this.folders.get(folder) !== before) return;
    const names = new Set(entries.map(({ name }) => name));
    this.folders.set(folder, { names, stamp });
    const parent = folder === '/' ? '' : folder;
    for (const name of names) if (!before.names.has(name)) changes.set(`${parent}/${name}`, 'created');
    for (const name of before.names) if (!names.has(name)) changes.set(`${parent}/${name}`, 'deleted');
  }

  private follow(folder: string, known: KnownFolder): void {
    this.folders.delete(folder);
    this.folders.set(folder, known);
  }
}

/** Another one after each change; `undefined` where it cannot be asked for now. */
async function stampOf(machine: ExecutorFileSystem, path: string): Promise<string | undefined> {
  try {
    const { modifiedAtMs, sizeBytes } = await machine.getMetadata(path);
    return `${modifiedAtMs} ${sizeBytes}`;
  } catch (error) {
    return isNotFound(error) ? GONE : undefined;
  }
}
