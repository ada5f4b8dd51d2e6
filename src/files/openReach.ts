import { constants } from 'node:fs';
import { open, type FileHandle, realpath, stat } from 'node:fs/promises';
import { FileError, isNotFound } from './fileError';
import type { Need, Reach, Use } from './reach';
import { refuseLinks } from './refuseLinks';

/** All that the user of this process can reach. */
export class OpenReach implements Reach {
  constructor(private readonly followsSymlinks: boolean) {}

  async target<T>(path: string, need: Need, use: Use<T>): Promise<T> {
    if (!this.followsSymlinks) await refuseLinks(path, need);
    try {
      return await use({ handle: path, realPath: await realpath(path) });
    } catch (error) {
      throw FileError.from(error, path);
    }
  }

  async entry<T>(path: string, need: Need, use: Use<T>): Promise<T> {
    if (!this.followsSymlinks) await refuseLinks(path, need, { mayEndInLink: true });
    try {
      return await use({ handle: path, realPath: path });
    } catch (error) {
      throw FileError.from(error, path);
    }
  }

  async openForReplace(path: string): Promise<FileHandle> {
    if (!this.followsSymlinks) await refuseLinks(path, 'write');
    try {
      await refuseSpecialFile(path);
      return await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK);
    } catch (error) {
      throw FileError.from(error, path);
    }
  }

  check(): void {
    // The system has the last word.
  }

  canSee(): boolean {
    return true;
  }
}

/** Opening a pipe or a device may wait for ever, or do something. */
async function refuseSpecialFile(path: string): Promise<void> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw FileError.ofSystem('EISDIR', path);
    if (!stats.isFile()) throw FileError.notAFile(path);
  } catch (error) {
    if (!isNotFound(FileError.from(error, path))) throw error;
  }
}
