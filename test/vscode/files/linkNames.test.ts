import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/files/fileError';
import { LocalFileSystem } from '../../../src/files/localFileSystem';
import { linkNames } from '../../../src/vscode/files/linkNames';
import { tempDir } from '../../support/tempDir';

const linksIn = async (files: LocalFileSystem, folder: string): Promise<string[]> =>
  [...(await linkNames(files, folder, await files.readDirectory(folder)))].sort();

it.skipIf(process.platform === 'win32')(
  'tells links from files, folders and all else, also in a folder behind a link',
  async () => {
    const root = tempDir();
    const folder = path.join(root, 'folder');
    mkdirSync(path.join(folder, '.git'), { recursive: true });
    writeFileSync(path.join(folder, 'file'), '');
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    symlinkSync('file', path.join(folder, 'toFile'));
    symlinkSync('.git', path.join(folder, 'toFolder'));
    symlinkSync('folder', path.join(root, 'link'));
    mkdirSync(path.join(root, 'links'));
    symlinkSync('../folder', path.join(root, 'links', 'only'));
    const files = new LocalFileSystem();

    expect(await linksIn(files, folder)).toEqual(['toFile', 'toFolder']);
    expect(await linksIn(files, path.join(root, 'link'))).toEqual(['toFile', 'toFolder']);
    expect(await linksIn(files, path.join(root, 'links'))).toEqual(['only']);
  },
);

it('takes nothing for a link where the server cannot walk', async () => {
  const root = tempDir();
  writeFileSync(path.join(root, 'file'), '');
  const files = new LocalFileSystem();
  files.walk = () => Promise.reject(new FileError('no such method', { kind: 'unsupported' }));

  expect(await linksIn(files, root)).toEqual([]);
});
