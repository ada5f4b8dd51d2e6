/** The files of this machine. What an operation may reach is up to its `Reach`; how it is done is here and in the trees beside. */
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Disposable } from '../base/disposable';
import { copyTree } from './copyTree';
import type {
  CopyOptions,
  CreateDirectoryOptions,
  DirectoryEntry,
  ExecutorFile,
  FileAccess,
  FileMetadata,
  LinkAccess,
  OpenMode,
  RemoveOptions,
  WalkOptions,
  WalkResult,
  WatchableFileSystem,
} from './executorFileSystem';
import { FileError, isNotFound } from './fileError';
import { MAX_LISTED_ENTRIES, MAX_WHOLE_FILE_BYTES } from './limits';
import { LocalFile, readWhole, writeFully } from './localFile';
import { type MissingWatchRequest, watchMissing } from './missingWatch';
import { openForReading } from './openForReading';
import { requireAbsolute, tooLarge } from './pathChecks';
import type { Need, Reach } from './reach';
import { reachOf } from './reachOf';
import { removeTree } from './removeTree';
import { walkTree } from './walkTree';

const MASKED_METADATA = { sizeBytes: 0, createdAtMs: 0, modifiedAtMs: 0 };

export class LocalFileSystem implements WatchableFileSystem {
  async readFile(path: string, access: LinkAccess = {}): Promise<Buffer> {
    const [place, reach] = await begin(path, access);
    const handle = await openForReading(reach, place);
    try {
      const bytes = await readWhole(handle, MAX_WHOLE_FILE_BYTES + 1);
      if (bytes.length > MAX_WHOLE_FILE_BYTES) throw tooLarge(place, 'read');
      return bytes;
    } catch (error) {
      throw FileError.from(error, place);
    } finally {
      await handle.close();
    }
  }

  async writeFile(path: string, bytes: Buffer, access: LinkAccess = {}): Promise<void> {
    if (bytes.length > MAX_WHOLE_FILE_BYTES) throw tooLarge(path, 'written');
    const [place, reach] = await begin(path, access);
    const handle = await reach.openForReplace(place);
    try {
      await writeFully(handle, bytes, 0);
    } catch (error) {
      throw FileError.from(error, place);
    } finally {
      await handle.close();
    }
  }

  async createDirectory(path: string, { isRecursive = true, ...access }: CreateDirectoryOptions = {}): Promise<void> {
    const [place, reach] = await begin(path, access);
    if (isRecursive) await ensureDirectory(reach, place);
    else await makeDirectory(reach, place);
  }

  async getMetadata(path: string, access: LinkAccess = {}): Promise<FileMetadata> {
    const [place, reach] = await begin(path, access);
    const metadata = await reach.target(place, 'see', async ({ handle, isMasked }) => {
      const stats = await stat(handle);
      const isWhat = { isDirectory: stats.isDirectory(), isFile: stats.isFile() };
      if (isMasked === true) return { ...isWhat, ...MASKED_METADATA };
      const { size, birthtimeMs, mtimeMs } = stats;
      return {
        ...isWhat,
        sizeBytes: size,
        createdAtMs: Math.trunc(birthtimeMs),
        modifiedAtMs: Math.trunc(mtimeMs),
      };
    });
    const isSymlink =
      place !== nodePath.parse(place).root &&
      (await reach.entry(place, 'see', async ({ handle }) => (await lstat(handle)).isSymbolicLink()));
    return { ...metadata, isSymlink };
  }

  async canonicalize(path: string, access: FileAccess = {}): Promise<string> {
    const [place, reach] = await begin(path, access);
    return reach.target(place, 'see', ({ realPath }) => Promise.resolve(realPath));
  }

  async readDirectory(path: string, access: FileAccess = {}): Promise<readonly DirectoryEntry[]> {
    const [place, reach] = await begin(path, access);
    const entries = await reach.target(place, 'list', async ({ handle, realPath }) => {
      const found = await readdir(handle, { withFileTypes: true });
      if (found.length > MAX_LISTED_ENTRIES) {
        throw FileError.refused(
          `${place} has ${found.length} entries, and no more than ${MAX_LISTED_ENTRIES} can be listed.`,
        );
      }
      return found.filter(({ name }) => reach.canSee(nodePath.join(realPath, name)));
    });
    const known = await Promise.all(
      entries.map(async (entry): Promise<DirectoryEntry[]> => {
        const { name } = entry;
        if (!entry.isSymbolicLink()) return [{ name, isDirectory: entry.isDirectory(), isFile: entry.isFile() }];
        const target = await followEntry(reach, nodePath.join(place, name), 'see');
        return target === undefined ? [] : [{ name, ...target }];
      }),
    );
    return known.flat();
  }

  async walk(path: string, options: WalkOptions): Promise<WalkResult> {
    if (options.maxDirectories < 1 || options.maxEntries < 1 || options.maxDepth < 0) {
      throw FileError.refused('The limits of a walk have to be greater than zero (that of the depth: at least zero).');
    }
    const [place, reach] = await begin(path, options);
    const maxEntries = Math.min(options.maxEntries, MAX_LISTED_ENTRIES);
    return walkTree(reach, place, { ...options, maxEntries });
  }

  async remove(path: string, { isRecursive = true, isForced = true, ...access }: RemoveOptions = {}): Promise<void> {
    const [place, reach] = await begin(path, access);
    if (place === nodePath.parse(place).root) throw FileError.refused(`${place} cannot be removed.`);
    try {
      await removeTree(reach, place, isRecursive);
    } catch (error) {
      if (!(isForced && isNotFound(error))) throw error;
    }
  }

  async copy(source: string, destination: string, { isRecursive, ...access }: CopyOptions): Promise<void> {
    const [from, reach] = await begin(source, access);
    await copyTree(reach, { from, to: normalize(destination) }, isRecursive);
  }

  async open(path: string, mode: OpenMode, access: FileAccess = {}): Promise<ExecutorFile> {
    const [place, reach] = await begin(path, access);
    const handle = mode === 'read' ? await openForReading(reach, place) : await reach.openForReplace(place);
    return new LocalFile(place, handle);
  }

  watchMissing(request: MissingWatchRequest, onChange: () => void): Promise<Disposable | undefined> {
    return watchMissing(request, onChange);
  }
}

async function begin(path: string, access: LinkAccess): Promise<[string, Reach]> {
  const place = normalize(path);
  return [place, await reachOf(access)];
}

function normalize(path: string): string {
  return nodePath.resolve(requireAbsolute(path));
}

async function makeDirectory(reach: Reach, path: string): Promise<void> {
  await reach.entry(path, 'write', ({ handle }) => mkdir(handle));
}

async function ensureDirectory(reach: Reach, path: string): Promise<void> {
  if (await isDirectory(reach, path)) return;
  const parent = nodePath.dirname(path);
  if (parent !== path) await ensureDirectory(reach, parent);
  try {
    await makeDirectory(reach, path);
  } catch (error) {
    // Somebody else may have made it just now.
    const isThere = error instanceof FileError && error.systemCode === 'EEXIST';
    if (!isThere || !(await isDirectory(reach, path))) throw error;
  }
}

async function isDirectory(reach: Reach, path: string): Promise<boolean> {
  return (await followEntry(reach, path, 'list'))?.isDirectory === true;
}

/** What the path leads to; `undefined` if that is nothing. */
async function followEntry(
  reach: Reach,
  path: string,
  need: Need,
): Promise<{ isDirectory: boolean; isFile: boolean } | undefined> {
  try {
    return await reach.target(path, need, async ({ handle }) => {
      const stats = await stat(handle);
      return { isDirectory: stats.isDirectory(), isFile: stats.isFile() };
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
