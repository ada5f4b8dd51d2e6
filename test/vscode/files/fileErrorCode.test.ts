import { expect, it } from 'vitest';
import { FileError, type FileErrorKind } from '../../../src/files/fileError';
import { fileErrorCode } from '../../../src/vscode/files/fileErrorCode';

it.each<[FileErrorKind, string | undefined, string | undefined]>([
  ['notFound', 'ENOENT', 'FileNotFound'],
  ['notFound', undefined, 'FileNotFound'],
  ['failed', 'EEXIST', 'FileExists'],
  ['failed', 'EISDIR', 'FileIsADirectory'],
  ['failed', 'ENOTDIR', 'FileNotADirectory'],
  ['failed', 'EROFS', 'NoPermissions'],
  ['refused', 'EACCES', 'NoPermissions'],
  ['refused', undefined, 'NoPermissions'],
  ['unsupported', undefined, 'Unavailable'],
  ['unreachable', undefined, 'Unavailable'],
  ['failed', 'ENOSPC', undefined],
  ['badRequest', undefined, undefined],
])('an error of the kind %s, by the system %s, is %s to VS Code', (kind, systemCode, code) => {
  expect(fileErrorCode(new FileError('why', { kind, systemCode }))).toBe(code);
});
