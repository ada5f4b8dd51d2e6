import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Reach } from './reach';

/** Every entry is reached anew from its path, so that none that was exchanged meanwhile leads out of what may be reached. */
export async function removeTree(reach: Reach, path: string, isRecursive: boolean): Promise<void> {
  const isFolder = await reach.entry(path, 'remove', async ({ handle }) => {
    if ((await lstat(handle)).isDirectory()) return true;
    await unlink(handle);
    return false;
  });
  if (!isFolder) return;
  if (isRecursive) {
    const names = await reach.target(path, 'list', ({ handle }) => readdir(handle));
    for (const name of names) await removeTree(reach, nodePath.join(path, name), true);
  }
  await reach.entry(path, 'remove', ({ handle }) => rmdir(handle));
}
