import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempDir } from '../../support/tempDir';

/** What lay on the recorded machine when the recording of that name began. */
export function createWorkFolder(recording: string): string {
  const work = tempDir();
  mkdirSync(path.join(work, 'a b'));
  writeFileSync(path.join(work, 'noexec'), '#!/bin/sh\n', { mode: 0o644 });
  makeFolders(work, ['fs/dir/sub', 'sb/.git', 'sb/sub', ...(FOLDERS[recording] ?? [])]);
  makeFiles(work, { ...FILES, ...MORE_FILES[recording] });
  for (const [link, target] of Object.entries({ link: 'a.txt', dirlink: 'dir', dangling: 'nowhere' })) {
    symlinkSync(target, path.join(work, 'fs', link));
  }
  return work;
}

const FILES: Record<string, string | Buffer> = {
  'fs/a.txt': 'hello\n',
  'fs/bin': Buffer.from([0x00, 0xff, 0xfe, 0x0a]),
  'fs/dir/.hidden': '',
  'fs/dir/x': '',
  'fs/dir/sub/y': '',
  'outside.txt': 'out',
  'sb/a.txt': 'hello\n',
  'sb/f': '',
  'sb/f2': '',
  'sb/f3': '',
  'sb/secret.env': '',
};
const FOLDERS: Partial<Record<string, string[]>> = {
  'files-remove-copy': ['fs/rm/sub', 'fs/empty', 'fs/dl2'],
  'files-walk': ['fs/dir2/sub', 'fs/n1', 'fs/q/w/e', 'fs/q2/w/e'],
};
const MORE_FILES: Partial<Record<string, Record<string, string>>> = {
  'files-directories': { 'fs/w.txt': '' },
  'files-remove-copy': { 'fs/rmf': '', 'fs/rm/sub/file': '' },
  'files-walk': { 'fs/a2.txt': '', 'fs/w.txt': '', 'fs/dir2/.hidden': '', 'fs/dir2/x': '', 'fs/dir2/sub/y': '' },
  'files-handles': { 'fs/big': 'a'.repeat(3_000_000) },
};

function makeFolders(work: string, folders: readonly string[]): void {
  for (const folder of folders) mkdirSync(path.join(work, folder), { recursive: true });
}

function makeFiles(work: string, files: Record<string, string | Buffer>): void {
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(work, file), content);
}
