import { lstat, readdir, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { messageOf } from '../base/messageOf';
import type { WalkEntry, WalkOptions, WalkResult } from './executorFileSystem';
import { FileError } from './fileError';
import type { Reach } from './reach';

interface Folder {
  readonly path: string;
  readonly depth: number;
}

/** The upper folders first. No folder is read twice, however many links lead to it. Of a root that is no folder there is nothing. */
export async function walkTree(reach: Reach, root: string, options: WalkOptions): Promise<WalkResult> {
  const entries: WalkEntry[] = [];
  const errors: { path: string; message: string }[] = [];
  const seen = new Set<string>();
  const queue: Folder[] = (await isFolderItself(reach, root)) ? [{ path: root, depth: 0 }] : [];
  let directories = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const { path, depth } = folder;
    let children: readonly WalkEntry[];
    try {
      const list = await readFolder(reach, path, { seen, follows: options.followDirectorySymlinks });
      if (list === undefined) continue;
      if (++directories > options.maxDirectories) return { entries, errors, isTruncated: true };
      children = list;
    } catch (error) {
      errors.push({ path, message: messageOf(FileError.from(error, path)) });
      continue;
    }
    for (const child of children) {
      if (entries.length === options.maxEntries) return { entries, errors, isTruncated: true };
      entries.push(child);
      const isPruned = options.pruneHiddenDirectories === true && nodePath.basename(child.path).startsWith('.');
      if (child.kind === 'directory' && depth < options.maxDepth && !isPruned) {
        queue.push({ path: child.path, depth: depth + 1 });
      }
    }
  }
  return { entries, errors, isTruncated: false };
}

function isFolderItself(reach: Reach, path: string): Promise<boolean> {
  if (path === nodePath.parse(path).root) return Promise.resolve(true);
  return reach.entry(path, 'see', async ({ handle }) => (await lstat(handle)).isDirectory());
}

/** In the order of the names; `undefined` for one that was read before. */
async function readFolder(
  reach: Reach,
  path: string,
  { seen, follows }: { readonly seen: Set<string>; readonly follows: boolean },
): Promise<readonly WalkEntry[] | undefined> {
  const found = await reach.target(path, 'list', async ({ handle, realPath }) => {
    if (seen.has(realPath)) return undefined;
    seen.add(realPath);
    const children = await readdir(handle, { withFileTypes: true });
    return children.filter(({ name }) => reach.canSee(nodePath.join(realPath, name)));
  });
  if (found === undefined) return undefined;
  const entries: WalkEntry[] = [];
  for (const child of found.sort((one, other) => compareNames(one.name, other.name))) {
    const childPath = nodePath.join(path, child.name);
    if (child.isDirectory() || (follows && child.isSymbolicLink() && (await leadsToFolder(reach, childPath)))) {
      entries.push({ path: childPath, kind: 'directory' });
    } else if (child.isFile()) {
      entries.push({ path: childPath, kind: 'file' });
    }
  }
  return entries;
}

async function leadsToFolder(reach: Reach, path: string): Promise<boolean> {
  try {
    return await reach.target(path, 'see', async ({ handle }) => (await stat(handle)).isDirectory());
  } catch {
    // It leads nowhere, or where nobody may look: no folder for whoever walks.
    return false;
  }
}

/** By their bytes, as the names of a folder are ordered elsewhere. */
function compareNames(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
