import { readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findRuntimeFolders } from './runtimeFolder';
import { readWindowRecord, RECORD_EXTENSION, type WindowRecord } from './windowRecord';

export interface FoundWindow {
  readonly record: WindowRecord;
  readonly recordFile: string;
  /** When the window last said that it is in use, in milliseconds since 1970. */
  readonly usedMs: number;
}

/** All windows of this user that have left a record, also those that have ended without taking it away. */
export function findWindows(env: NodeJS.ProcessEnv): FoundWindow[] {
  return findRuntimeFolders(env).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(RECORD_EXTENSION))
      .flatMap((name) => {
        const recordFile = path.join(folder, name);
        const found = readWindowRecord(recordFile);
        return found === undefined ? [] : [{ record: found.record, recordFile, usedMs: found.writtenMs }];
      }),
  );
}

/**
 * The windows that have `cwd` open, best first: the one with the innermost folder around it, and of several such the one that
 * was used last.
 */
export function windowsFor(cwd: string, windows: readonly FoundWindow[]): FoundWindow[] {
  const real = realpathSync.native(cwd);
  const depth = ({ record }: FoundWindow): number =>
    Math.max(-1, ...record.folders.filter((folder) => isInside(real, folder)).map((folder) => folder.length));
  return windows
    .map((window) => ({ window, depth: depth(window) }))
    .filter((one) => one.depth >= 0)
    .sort((a, b) => (a.depth === b.depth ? b.window.usedMs - a.window.usedMs : b.depth - a.depth))
    .map(({ window }) => window);
}

/** Whether its process is there; whose it is, does not matter here. */
export function isProcessAlive({ pid }: WindowRecord): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes what a window that has ended left behind. */
export function removeRemains({ record, recordFile }: FoundWindow): void {
  rmSync(recordFile, { force: true });
  if (process.platform !== 'win32') rmSync(record.socket, { force: true });
}

function isInside(cwd: string, folder: string): boolean {
  const relative = path.relative(folder, cwd);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
