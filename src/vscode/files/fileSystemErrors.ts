import * as vscode from 'vscode';
import { FileError } from '../../files/fileError';
import type { Machine } from '../../environment/environmentManager';
import { fileErrorCode } from './fileErrorCode';

/** What VS Code is told of an operation that failed in an environment; anything but an error of files is returned as it is. */
export function toFileSystemError(error: unknown, { id, label }: Machine): unknown {
  if (!(error instanceof FileError)) return error;
  const { FileSystemError, l10n } = vscode;
  const { message } = error;
  switch (fileErrorCode(error)) {
    case 'FileNotFound':
      return FileSystemError.FileNotFound(message);
    case 'FileExists':
      return FileSystemError.FileExists(message);
    case 'FileIsADirectory':
      return FileSystemError.FileIsADirectory(message);
    case 'FileNotADirectory':
      return FileSystemError.FileNotADirectory(message);
    case 'NoPermissions':
      return FileSystemError.NoPermissions(message);
    case 'Unavailable':
      return FileSystemError.Unavailable(
        error.kind === 'unsupported'
          ? l10n.t('The environment {0} ({1}) has no such access to files: {2}', id, label, message)
          : l10n.t('The environment {0} ({1}) cannot be reached: {2}', id, label, message),
      );
    case undefined:
      return new FileSystemError(message);
  }
}
