/**
 * Lets operations reach only what a sandbox lets through, whatever others do to the paths meanwhile: what a path leads to is held
 * first, then checked by where it is, and the operation goes through what is held. Linux only.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { FileError, isNotFound } from '../fileError';
import { MAX_LINKS } from '../limits';
import type { Need, Reach, Use } from '../reach';
import { refuseLinks } from '../refuseLinks';
import { type HeldPlace, holdPlace } from './heldPlace';
import { realPlaceOf } from './realPlace';
import type { SandboxRules } from './sandboxRules';

export class ConfinedReach implements Reach {
  constructor(
    private readonly rules: SandboxRules,
    private readonly followsSymlinks: boolean,
  ) {}

  async target<T>(path: string, need: Need, use: Use<T>): Promise<T> {
    return this.hold(path, path, async ({ handle, realPath, descriptor }) => {
      if (!this.followsSymlinks && realPath !== path) await refuseForLinks(path, need);
      this.rules.check(path, realPath, need);
      if (need === 'read' && this.rules.deniesFile(await descriptor.stat())) throw deniedByName(path);
      return use({ handle, realPath, isMasked: this.rules.isMasked(realPath) });
    });
  }

  async entry<T>(path: string, need: Need, use: Use<T>): Promise<T> {
    const parent = nodePath.dirname(path);
    return this.hold(parent, path, async (held) => {
      if (!this.followsSymlinks && held.realPath !== parent) await refuseForLinks(path, need);
      const realPath = nodePath.join(held.realPath, nodePath.basename(path));
      this.rules.check(path, realPath, need);
      return use({ handle: `${held.handle}/${nodePath.basename(path)}`, realPath });
    });
  }

  async openForReplace(path: string): Promise<FileHandle> {
    let current = path;
    for (let links = 0; links < MAX_LINKS; links++) {
      try {
        return await this.target(current, 'write', ({ handle }) => openExisting(handle, path));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      const next = await this.create(current, path);
      if (typeof next !== 'string') return next;
      current = next;
    }
    throw FileError.ofSystem('ELOOP', path);
  }

  check(realPath: string, need: Need): void {
    this.rules.check(realPath, realPath, need);
  }

  canSee(realPath: string): boolean {
    return this.rules.canSee(realPath);
  }

  /** The new file; or if a link is there, where that leads. */
  private create(current: string, asked: string): Promise<FileHandle | string> {
    return this.hold(nodePath.dirname(current), asked, async (parent) => {
      const name = nodePath.basename(current);
      const handle = `${parent.handle}/${name}`;
      const target = await readLink(handle);
      if (target !== undefined) {
        if (!this.followsSymlinks) throw FileError.ofSystem('ELOOP', asked, 'since no links are to be followed');
        return nodePath.isAbsolute(target) ? target : `${parent.realPath}/${target}`;
      }
      this.rules.check(asked, nodePath.join(parent.realPath, name), 'write');
      const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
      try {
        return await open(handle, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
      } catch (error) {
        // Somebody else was first: look again.
        if (isSystemCode(error, 'EEXIST')) return current;
        throw error;
      }
    });
  }

  /** Errors name what was `asked` for. */
  private async hold<T>(path: string, asked: string, use: (held: HeldPlace) => Promise<T>): Promise<T> {
    try {
      return await holdPlace(path, use);
    } catch (error) {
      const known = FileError.from(error, asked);
      // That there is a file instead of a folder is not for everybody to know.
      const tells = known instanceof FileError && known.systemCode === 'ENOTDIR';
      if (tells && !this.canSee(await realPlaceOf(path))) throw FileError.ofSystem('ENOENT', asked);
      throw known;
    }
  }
}

/** There are links in the path; if they are gone by now, all the same. */
async function refuseForLinks(path: string, need: Need): Promise<never> {
  await refuseLinks(path, need);
  throw FileError.ofSystem('ELOOP', path, 'since no links are to be followed');
}

function deniedByName(path: string): FileError {
  return FileError.ofSystem('EACCES', path, 'since it is another name (a hard link) of a file that the sandbox denies');
}

async function openExisting(handle: string, path: string): Promise<FileHandle> {
  const stats = await stat(handle);
  if (stats.isDirectory()) throw FileError.ofSystem('EISDIR', path);
  if (!stats.isFile()) throw FileError.notAFile(path);
  if (stats.nlink > 1) {
    throw FileError.refused(
      `${path} has ${stats.nlink} names (hard links), and another may lie where nothing is to be changed. ` +
        'Remove it first, and write it anew.',
    );
  }
  return open(handle, constants.O_WRONLY | constants.O_TRUNC);
}

async function readLink(handle: string): Promise<string | undefined> {
  try {
    return (await lstat(handle)).isSymbolicLink() ? await readlink(handle) : undefined;
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isSystemCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
