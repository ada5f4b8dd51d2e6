/** What a window says of itself in a file that only its user can read. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Of the record and of what is said before the tools' own protocol begins. Another number: they do not understand each other. */
export const ATTACH_PROTOCOL = 1;

export interface WindowRecord {
  readonly protocol: number;
  /** Of the process that listens. */
  readonly pid: number;
  readonly socket: string;
  /** Real paths of the folders that are open in the window. */
  readonly folders: readonly string[];
  /** Of the product. */
  readonly version: string;
  /** What a client sends first. Never log it. */
  readonly token: string;
}

export const RECORD_EXTENSION = '.json';

/** Far more than the folders of any window need. */
const MAX_RECORD_BYTES = 256 * 1_024;
const OTHERS_MODE = 0o077;

/** Where the window listens whose record has this name (without its extension). */
export function socketPath(folder: string, name: string): string {
  // Named pipes of Windows are in no folder; the name cannot be guessed, and the token counts in any case.
  return process.platform === 'win32' ? `\\\\.\\pipe\\exec-sessions-${name}` : path.join(folder, `${name}.sock`);
}

/** `undefined` for what is no record of ours: gone, of somebody else, open to others, a link, or of another protocol. */
export function readWindowRecord(file: string): { readonly record: WindowRecord; readonly writtenMs: number } | undefined {
  let descriptor: number | undefined;
  try {
    // Windows has no such flag, and counts it as 0.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_RECORD_BYTES) return undefined;
    const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & OTHERS_MODE) === 0);
    if (!isOwn) return undefined;
    const record: unknown = JSON.parse(readFileSync(descriptor, 'utf8'));
    const name = path.basename(file, RECORD_EXTENSION);
    if (!isWindowRecord(record) || record.socket !== socketPath(path.dirname(file), name)) return undefined;
    return { record, writtenMs: stats.mtimeMs };
  } catch {
    // The window may have ended this moment; whatever else it is, nothing can be done with it.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isWindowRecord(value: unknown): value is WindowRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { protocol, pid, socket, folders, version, token } = value as Record<keyof WindowRecord, unknown>;
  if (protocol !== ATTACH_PROTOCOL || !Number.isInteger(pid)) return false;
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === 'string')) return false;
  return [socket, version, token].every((text) => typeof text === 'string');
}
