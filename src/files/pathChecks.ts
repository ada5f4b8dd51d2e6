import nodePath from 'node:path';
import { FileError } from './fileError';
import { MAX_WHOLE_FILE_BYTES } from './limits';

/** The path, if it can be one of any machine. */
export function requireAbsolute(path: string): string {
  if (path.includes('\0')) throw FileError.badRequest('A path cannot hold a zero byte.');
  if (!nodePath.isAbsolute(path)) throw FileError.badRequest(`${path} is not an absolute path.`);
  return path;
}

/** `done`: `read` or `written`. */
export function tooLarge(path: string, done: string): FileError {
  return FileError.refused(
    `${path} is too large to be ${done} as a whole: the limit is ${MAX_WHOLE_FILE_BYTES} bytes. Open it, and go by blocks.`,
  );
}
