import { type FSWatcher, watch } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Disposable } from '../base/disposable';
import { FileError, isNotFound } from './fileError';

/** Paths of one watch: more than a client asks for that looks into every folder above it, fewer than a system has watches. */
export const MAX_MISSING_PATHS = 256;

export interface MissingWatchRequest {
  /** Absolute paths where nothing is. */
  readonly missing: readonly string[];
  /** An absolute path where something is. */
  readonly present: string | undefined;
}

/** The first thing that has to appear before a missing path can. */
interface Gap {
  readonly folder: string;
  readonly name: string;
}

/**
 * Tells once when something appears on the way to a missing path, or when what is present changes or goes; then it is over.
 * `undefined` where it is not as the request says it is, or where this system has no watches left. The caller owns the watch.
 */
export async function watchMissing(
  { missing, present }: MissingWatchRequest,
  onChange: () => void,
): Promise<Disposable | undefined> {
  if (missing.length === 0 || missing.length > MAX_MISSING_PATHS) return undefined;
  if (present !== undefined && !(await isThere(present))) return undefined;
  const gaps: Gap[] = [];
  for (const path of missing) {
    const gap = await findGap(nodePath.resolve(path));
    if (gap === undefined) return undefined;
    gaps.push(gap);
  }
  const watches = new MissingWatch(onChange);
  return (await watches.start(gaps, present)) ? watches : undefined;
}

class MissingWatch implements Disposable {
  private readonly watchers: FSWatcher[] = [];
  private isOver = false;

  constructor(private readonly onChange: () => void) {}

  /** `false`: it could not be begun. */
  async start(gaps: readonly Gap[], present: string | undefined): Promise<boolean> {
    const folders = new Set(gaps.map(({ folder }) => folder));
    try {
      for (const folder of folders) {
        const names = new Set(gaps.filter((gap) => gap.folder === folder).map(({ name }) => name));
        // A folder that goes itself is told by its own name.
        this.watch(folder, (name) => name === null || names.has(name) || name === nodePath.basename(folder));
      }
      if (present !== undefined) this.watch(present, () => true);
    } catch {
      // No watches left, or no right to watch there: whoever asks has to look again later.
      this.dispose();
      return false;
    }
    // What has come before the watches were there is told by none of them.
    for (const { folder, name } of gaps) if (await isEntry(nodePath.join(folder, name))) this.end();
    return true;
  }

  dispose(): void {
    this.isOver = true;
    for (const watcher of this.watchers.splice(0)) watcher.close();
  }

  private watch(path: string, isMeant: (name: string | null) => boolean): void {
    const watcher = watch(path, { persistent: false }, (_event, name) => {
      if (isMeant(name)) this.end();
    });
    this.watchers.push(watcher);
    watcher.on('error', () => {
      this.end();
    });
  }

  private end(): void {
    if (this.isOver) return;
    this.dispose();
    this.onChange();
  }
}

/** `undefined` where something is, such as a link that leads nowhere: what it waits for cannot be watched. */
async function findGap(path: string): Promise<Gap | undefined> {
  if (await isEntry(path)) return undefined;
  const folder = nodePath.dirname(path);
  if (folder === path) return undefined;
  return (await isThere(folder)) ? { folder, name: nodePath.basename(path) } : findGap(folder);
}

async function isThere(path: string): Promise<boolean> {
  return exists(() => stat(path), path);
}

async function isEntry(path: string): Promise<boolean> {
  return exists(() => lstat(path), path);
}

async function exists(look: () => Promise<unknown>, path: string): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    const known = FileError.from(error, path);
    if (isNotFound(known) || (known instanceof FileError && known.systemCode === 'ENOTDIR')) return false;
    throw known;
  }
}
