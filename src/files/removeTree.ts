import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import type { Reach, Reached } from './reach';

/** Removes what is there; a link is itself. */
export function removeTree(reach: Reach, path: string, isRecursive: boolean): Promise<void> {
  return reach.entry(path, 'remove', (entry) => removeEntry(reach, entry, isRecursive));
}

async function removeEntry(reach: Reach, { handle, realPath }: Reached, isRecursive: boolean): Promise<void> {
  if (!(await lstat(handle)).isDirectory()) {
    await unlink(handle);
    return;
  }
  if (isRecursive) {
    await inFolder(handle, async (folder) => {
      for (const name of await readdir(folder)) {
        const child = { handle: `${folder}/${name}`, realPath: `${realPath}/${name}` };
        reach.check(child.realPath, 'remove');
        await removeEntry(reach, child, true);
      }
    });
  }
  await rmdir(handle);
}

/** On Linux the folder is held: a link that is put in its place while it is emptied leads nobody to what is elsewhere. */
async function inFolder(path: string, use: (folder: string) => Promise<void>): Promise<void> {
  if (process.platform !== 'linux') return use(path);
  const folder: FileHandle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await use(`/proc/self/fd/${folder.fd}`);
  } finally {
    await folder.close();
  }
}
