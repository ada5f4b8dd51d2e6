import { realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import { FileError, isNotFound } from '../fileError';

/** The place without links; of what is not there, below the real place of the nearest folder above it that is. */
export async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const known = FileError.from(error, path);
    const parent = nodePath.dirname(path);
    const isNothing = isNotFound(known) || (known instanceof FileError && known.systemCode === 'ENOTDIR');
    if (!isNothing || parent === path) throw known;
    return nodePath.join(await realPlaceOf(parent), nodePath.basename(path));
  }
}

/** Whether `path` is `folder` or below it; both without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}
