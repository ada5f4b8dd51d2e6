import { type FileHandle, lstat, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { FileError, isNotFound } from './fileError';
import { MAX_BLOCK_BYTES } from './limits';
import { writeFully } from './localFile';
import { openForReading } from './openForReading';
import type { Reach } from './reach';

export interface CopyPaths {
  readonly from: string;
  readonly to: string;
}

/** Every entry is reached anew from its path, on both sides: see `removeTree`. */
export async function copyTree(reach: Reach, paths: CopyPaths, isRecursive: boolean): Promise<void> {
  const { from, to } = paths;
  const kind = await reach.entry(from, 'read', async ({ handle }) => {
    const stats = await lstat(handle);
    return stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other';
  });
  switch (kind) {
    case 'folder':
      if (!isRecursive) throw FileError.refused(`${from} is a folder: to copy it, ask for a recursive copy.`);
      await refuseIntoItself(reach, paths);
      return copyFolder(reach, paths);
    case 'link':
      return copyLink(reach, paths);
    case 'file':
      return copyFile(reach, paths);
    case 'other':
      throw FileError.refused(`${from} is neither a regular file nor a folder nor a link: ${to} was not made.`);
  }
}

async function copyFolder(reach: Reach, { from, to }: CopyPaths): Promise<void> {
  try {
    await reach.entry(to, 'write', ({ handle }) => mkdir(handle));
  } catch (error) {
    // One that is there takes what it lacks.
    const isFolder = await reach.target(to, 'list', async ({ handle }) => (await stat(handle)).isDirectory());
    if (!isFolder) throw error;
  }
  const names = await reach.target(from, 'list', async ({ handle, realPath }) => {
    const found = await readdir(handle);
    return found.filter((name) => reach.canSee(nodePath.join(realPath, name)));
  });
  for (const name of names) {
    await copyTree(reach, { from: nodePath.join(from, name), to: nodePath.join(to, name) }, true);
  }
}

async function copyLink(reach: Reach, { from, to }: CopyPaths): Promise<void> {
  const target = await reach.entry(from, 'read', ({ handle }) => readlink(handle));
  await reach.entry(to, 'write', ({ handle }) => symlink(target, handle));
}

async function copyFile(reach: Reach, { from, to }: CopyPaths): Promise<void> {
  const source = await openForReading(reach, from);
  try {
    const { mode, dev, ino } = await source.stat();
    await refuseSameFile(reach, to, { dev, ino });
    const destination = await reach.openForReplace(to);
    try {
      await pump(source, destination);
      await destination.chmod(mode & 0o777);
    } finally {
      await destination.close();
    }
  } catch (error) {
    throw FileError.from(error, to);
  } finally {
    await source.close();
  }
}

async function pump(source: FileHandle, destination: FileHandle): Promise<void> {
  const block = Buffer.allocUnsafe(MAX_BLOCK_BYTES);
  for (let offset = 0; ;) {
    const { bytesRead } = await source.read(block, 0, block.length, offset);
    if (bytesRead === 0) return;
    await writeFully(destination, block.subarray(0, bytesRead), offset);
    offset += bytesRead;
  }
}

/** Emptied before it is read, it would be lost. */
async function refuseSameFile(reach: Reach, path: string, { dev, ino }: { dev: number; ino: number }): Promise<void> {
  const isSame = await ifThere(
    reach.target(path, 'see', async ({ handle }) => {
      const stats = await stat(handle);
      return stats.dev === dev && stats.ino === ino;
    }),
  );
  if (isSame === true) throw FileError.refused(`${path} is the file that was to be copied there.`);
}

async function refuseIntoItself(reach: Reach, { from, to }: CopyPaths): Promise<void> {
  const source = await reach.target(from, 'see', ({ realPath }) => Promise.resolve(realPath));
  const existing = await nearestRealPath(reach, to);
  if (existing !== source && !existing.startsWith(source + nodePath.sep)) return;
  throw FileError.refused(`${from} cannot be copied into itself (${to}).`);
}

/** Of the path, or of the nearest folder above it that is there. */
async function nearestRealPath(reach: Reach, path: string): Promise<string> {
  const real = await ifThere(reach.target(path, 'see', ({ realPath }) => Promise.resolve(realPath)));
  return real ?? nearestRealPath(reach, nodePath.dirname(path));
}

async function ifThere<T>(reached: Promise<T>): Promise<T | undefined> {
  try {
    return await reached;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
