import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { FileError } from './fileError';
import type { Reach } from './reach';

/** A regular file; opening anything else may wait for ever, or do something. */
export async function openForReading(reach: Reach, path: string): Promise<FileHandle> {
  return reach.target(path, 'read', async ({ handle }) => {
    if (!(await stat(handle)).isFile()) throw FileError.notAFile(path);
    // What has been exchanged for a pipe meanwhile keeps nobody waiting.
    return open(handle, constants.O_RDONLY | constants.O_NONBLOCK);
  });
}
