/** Descriptors that stay on what a path leads to, whatever others do to the path meanwhile. Linux only. */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { FileError, isNotFound } from '../fileError';

/** Of Linux, on all machines that Node.js runs on: opens nothing, and only holds on to what is there. */
const O_PATH = 0o10_000_000;
/** How often a path may change under our hands before it is given up. */
const MAX_ATTEMPTS = 8;

export interface HeldPlace {
  /** A path that leads to what is held, for as long as it is. */
  readonly handle: string;
  /** Where it is, without links. */
  readonly realPath: string;
  readonly descriptor: FileHandle;
}

/**
 * Holds what `path` leads to while `use` runs. Links are resolved first; from the place that was found no link is followed any
 * more, so that one that is put on the way meanwhile leads nowhere. Nor does a link of `/proc`, which may lead to what has another
 * name for us.
 */
export async function holdPlace<T>(path: string, use: (held: HeldPlace) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const realPath = await realpath(path);
    const descriptor = await walkTo(realPath);
    if (descriptor === undefined) {
      if (attempt === MAX_ATTEMPTS) throw FileError.ofSystem('ENOENT', path, 'or not for long enough');
      continue;
    }
    try {
      return await use({ handle: handleOf(descriptor), realPath, descriptor });
    } finally {
      await descriptor.close();
    }
  }
}

function handleOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/** `undefined`: there is a link on the way, or nothing any more. */
async function walkTo(realPath: string): Promise<FileHandle | undefined> {
  let held = await open('/', O_PATH);
  const names = realPath.split('/').filter((name) => name !== '');
  for (const name of names) {
    const next = await step(held, name);
    await held.close();
    if (next === undefined) return undefined;
    held = next;
  }
  if (!(await held.stat()).isSymbolicLink()) return held;
  await held.close();
  return undefined;
}

/** A link in its midst is no folder, and so ends the walk. */
async function step(folder: FileHandle, name: string): Promise<FileHandle | undefined> {
  const path = `${handleOf(folder)}/${name}`;
  try {
    return await open(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    const known = FileError.from(error, path);
    if (isNotFound(known) || (known instanceof FileError && known.systemCode === 'ENOTDIR')) return undefined;
    await folder.close();
    throw known;
  }
}
