import type { DirectoryEntry, ExecutorFileSystem } from '../../files/executorFileSystem';
import { FileError } from '../../files/fileError';

/**
 * Which of the entries of a folder are links: those that a walk which follows none leaves out. The protocol tells it of a path only,
 * and to ask for each would cost as many requests as there are entries. Nobody knows it where the server cannot walk.
 */
export async function linkNames(
  files: ExecutorFileSystem,
  folder: string,
  entries: readonly DirectoryEntry[],
): Promise<ReadonlySet<string>> {
  const candidates = entries.filter(({ isFile, isDirectory }) => isFile || isDirectory).map(({ name }) => name);
  if (candidates.length === 0) return new Set();
  try {
    const others = await walkChildren(files, folder, candidates.length);
    return new Set(others === undefined ? [] : candidates.filter((name) => !others.has(name)));
  } catch (error) {
    if (error instanceof FileError && error.kind === 'unsupported') return new Set();
    throw error;
  }
}

/** The names of the children that are no links; `undefined` where they cannot all be told. */
async function walkChildren(
  files: ExecutorFileSystem,
  folder: string,
  expected: number,
): Promise<ReadonlySet<string> | undefined> {
  // What was added meanwhile must not push out what was there.
  const options = { maxDepth: 0, maxDirectories: 1, maxEntries: 2 * expected, followDirectorySymlinks: false };
  let found = await files.walk(folder, options);
  // Nothing at all: either there are only links, or the folder itself is one, and was not followed.
  if (found.entries.length === 0) found = await files.walk(await files.canonicalize(folder), options);
  if (found.isTruncated || found.errors.length > 0) return undefined;
  return new Set(found.entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
}
