import type { FileError, FileErrorKind } from '../../files/fileError';

/** As VS Code names what may be wrong. */
export type FileErrorCode =
  'FileNotFound' | 'FileExists' | 'FileIsADirectory' | 'FileNotADirectory' | 'NoPermissions' | 'Unavailable';

/** The system is more exact than the kind, where it was the system that said no. */
const CODES_OF_SYSTEM: Partial<Record<string, FileErrorCode>> = {
  EEXIST: 'FileExists',
  EISDIR: 'FileIsADirectory',
  ENOTDIR: 'FileNotADirectory',
  EROFS: 'NoPermissions',
};

const CODES_OF_KIND: Partial<Record<FileErrorKind, FileErrorCode>> = {
  notFound: 'FileNotFound',
  refused: 'NoPermissions',
  unsupported: 'Unavailable',
  unreachable: 'Unavailable',
};

/** `undefined`: something else, which only its message tells. */
export function fileErrorCode({ kind, systemCode }: FileError): FileErrorCode | undefined {
  return CODES_OF_SYSTEM[systemCode ?? ''] ?? CODES_OF_KIND[kind];
}
