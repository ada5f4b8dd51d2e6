import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { FileError, isNotFound } from './fileError';
import type { Need } from './reach';

/** Throws for a path with a symbolic link in it. What is not there has none. */
export async function refuseLinks(path: string, need: Need, { mayEndInLink = false } = {}): Promise<void> {
  const { root } = nodePath.parse(path);
  const names = path.slice(root.length).split(nodePath.sep).filter(Boolean);
  let current = root;
  for (const [index, name] of names.entries()) {
    current = nodePath.join(current, name);
    const isLast = index === names.length - 1;
    if (!(await isLink(current)) || (isLast && mayEndInLink)) continue;
    if (need === 'see') throw FileError.refused(`${current} is a symbolic link, and none are to be followed.`);
    throw FileError.ofSystem(isLast ? 'ELOOP' : 'ENOTDIR', current, 'since no links are to be followed');
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    const known = FileError.from(error, path);
    if (isNotFound(known)) return false;
    throw known;
  }
}
