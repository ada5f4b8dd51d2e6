import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

/**
 * One for each code that the wire has for files, and one for no answer:
 * - `notFound`: nothing is there, or nothing that may be seen.
 * - `refused`: not permitted, or not for what is there, such as reading a folder.
 * - `badRequest`: the request itself is wrong, such as a path that is not absolute.
 * - `failed`: the system could not do it.
 * - `unsupported`: who was asked has no such operation.
 * - `unreachable`: the other machine cannot be reached, or was lost before it answered.
 */
export type FileErrorKind = 'notFound' | 'refused' | 'badRequest' | 'failed' | 'unsupported' | 'unreachable';

/** What the system calls errors that are not `failed`. */
const KINDS: Partial<Record<string, FileErrorKind>> = {
  ENOENT: 'notFound',
  EACCES: 'refused',
  EPERM: 'refused',
  EINVAL: 'refused',
};

interface FileErrorDetails {
  readonly kind: FileErrorKind;
  readonly systemCode?: string | undefined;
  readonly cause?: unknown;
}

/** Why an operation on files was not done; the message is a sentence for people and models, and names the path. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly kind: FileErrorKind;
  /** What the system calls it, such as `EEXIST`; `undefined` where it was not the system, or is not told. */
  readonly systemCode: string | undefined;

  constructor(message: string, { kind, systemCode, cause }: FileErrorDetails) {
    super(message, { cause });
    this.kind = kind;
    this.systemCode = systemCode;
  }

  static refused(message: string): FileError {
    return new FileError(message, { kind: 'refused' });
  }

  static badRequest(message: string): FileError {
    return new FileError(message, { kind: 'badRequest' });
  }

  static notAFile(path: string): FileError {
    return FileError.refused(`${path} is not a regular file, and only those can be read and written.`);
  }

  /** An error of this system, by its name. */
  static ofSystem(systemCode: keyof typeof constants.errno, path: string, why?: string): FileError {
    const errno = constants.errno[systemCode];
    const [, text = systemCode] = getSystemErrorMap().get(-errno) ?? [];
    const message = `${path}: ${text}${why === undefined ? '' : `, ${why}`} (os error ${errno})`;
    return new FileError(message, { kind: KINDS[systemCode] ?? 'failed', systemCode });
  }

  /** What a call of the system has thrown; anything else that was thrown is returned as it is. */
  static from(error: unknown, path: string): unknown {
    if (error instanceof FileError || !isSystemError(error)) return error;
    const { code, errno } = error;
    const [, text = code] = getSystemErrorMap().get(errno) ?? [];
    const message = `${path}: ${text} (os error ${-errno})`;
    return new FileError(message, { kind: KINDS[code] ?? 'failed', systemCode: code, cause: error });
  }
}

function isSystemError(error: unknown): error is Error & { readonly code: string; readonly errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'code' in error;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof FileError && error.kind === 'notFound';
}
