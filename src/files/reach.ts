/** How operations on the files of this machine get at what a path names: straight, or only as far as a sandbox lets them. */
import type { FileHandle } from 'node:fs/promises';

/**
 * What the operation is going to do: `see` that it is there, `list` what a folder has, `read` it, `write` it or make it, `remove`
 * it from its folder with all that is in it.
 */
export type Need = 'see' | 'list' | 'read' | 'write' | 'remove';

export interface Reached {
  /** Leads the system to what was checked, for as long as it is in use, whatever becomes of the path. */
  readonly handle: string;
  /** Where it is, without links. */
  readonly realPath: string;
  /** It is there, but nothing of it may be told. */
  readonly isMasked?: boolean;
}

export type Use<T> = (reached: Reached) => Promise<T>;

export interface Reach {
  /** What the path leads to, over all links. */
  target<T>(path: string, need: Need, use: Use<T>): Promise<T>;
  /** The entry in its folder: a link is itself, and it need not be there. */
  entry<T>(path: string, need: Need, use: Use<T>): Promise<T>;
  /** A regular file for writing from its start: made if it is not there, emptied if it is. */
  openForReplace(path: string): Promise<FileHandle>;
  /** Throws a `FileError` if that is not to be done at a place without links. */
  check(realPath: string, need: Need): void;
  /** Whether a place without links is there at all for whoever asks. */
  canSee(realPath: string): boolean;
}
