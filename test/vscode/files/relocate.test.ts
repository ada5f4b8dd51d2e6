import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExecutorFileSystem } from '../../../src/files/executorFileSystem';
import { FileError } from '../../../src/files/fileError';
import { MAX_BLOCK_BYTES } from '../../../src/files/limits';
import { LocalFileSystem } from '../../../src/files/localFileSystem';
import { copy, move } from '../../../src/vscode/files/relocate';
import { failureOf } from '../../files/anyFileSystem';
import { tempDir } from '../../support/tempDir';

describe.skipIf(process.platform === 'win32')('copying and moving', () => {
  const here = new LocalFileSystem();
  const elsewhere = new LocalFileSystem();
  let root: string;
  const place = (name: string, files: ExecutorFileSystem = here) => ({ files, path: path.join(root, name) });
  const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

  beforeEach(() => {
    root = tempDir();
    mkdirSync(path.join(root, 'tree', 'inner'), { recursive: true });
    writeFileSync(path.join(root, 'tree', 'inner', 'file'), 'content');
    writeFileSync(path.join(root, 'file'), 'other');
  });

  it('moves a folder with all that is in it, links as links', async () => {
    symlinkSync('nowhere', path.join(root, 'tree', 'dangling'));

    await move({ from: place('tree'), to: place('moved'), overwrite: false });

    expect(readdirSync(root).sort()).toEqual(['file', 'moved']);
    expect(readdirSync(path.join(root, 'moved')).sort()).toEqual(['dangling', 'inner']);
    expect(read('moved/inner/file')).toBe('content');
  });

  it('replaces only what may be replaced, and then as a whole', async () => {
    mkdirSync(path.join(root, 'other'));
    writeFileSync(path.join(root, 'other', 'before'), '');

    expect(await failureOf(move({ from: place('tree'), to: place('other'), overwrite: false }))).toBe('failed EEXIST');
    await move({ from: place('tree'), to: place('other'), overwrite: true });

    expect(readdirSync(path.join(root, 'other'))).toEqual(['inner']);
  });

  it.each([
    ['into itself', 'tree', 'tree/inner/tree'],
    ['over itself', 'tree', 'tree'],
    ['over a link to itself', 'tree', 'link'],
    ['over what holds it', 'tree/inner', 'tree'],
    ['that is not there', 'gone', 'file'],
  ])('loses nothing in a move %s', async (_where, from, to) => {
    symlinkSync('tree', path.join(root, 'link'));

    expect(await failureOf(move({ from: place(from), to: place(to), overwrite: true }))).toMatch(/^(refused|notFound)/);

    expect([read('tree/inner/file'), read('file')]).toEqual(['content', 'other']);
  });

  it('keeps the content of a file that is moved over another name of it', async () => {
    linkSync(path.join(root, 'file'), path.join(root, 'same'));

    await move({ from: place('file'), to: place('same'), overwrite: true });

    expect([existsSync(path.join(root, 'file')), read('same')]).toEqual([false, 'other']);
  });

  it('leaves the original where the copy fails', async () => {
    const failing = new LocalFileSystem();
    failing.copy = () => Promise.reject(new FileError('lost in the middle', { kind: 'unreachable' }));

    expect(await failureOf(move({ from: place('tree', failing), to: place('moved', failing), overwrite: false }))).toBe(
      'unreachable',
    );
    expect(read('tree/inner/file')).toBe('content');
  });

  it('says so where the original stays beside its copy', async () => {
    const stubborn = new LocalFileSystem();
    stubborn.remove = () => Promise.reject(FileError.ofSystem('EACCES', 'it'));

    await expect(move({ from: place('file', stubborn), to: place('moved', stubborn), overwrite: false })).rejects.toThrow(
      /file was copied to .*moved, but cannot be removed: it: permission denied/,
    );
    expect([read('file'), read('moved')]).toEqual(['other', 'other']);
  });

  it('copies folders to another machine, and moves files there', async () => {
    const large = Buffer.alloc(3 * MAX_BLOCK_BYTES + 1, 'x');
    writeFileSync(path.join(root, 'tree', 'large'), large);

    await copy({ from: place('tree'), to: place('copied', elsewhere), overwrite: false });
    await move({ from: place('file'), to: place('moved', elsewhere), overwrite: false });

    expect(read('copied/inner/file')).toBe('content');
    expect(readFileSync(path.join(root, 'copied', 'large')).equals(large)).toBe(true);
    expect([existsSync(path.join(root, 'file')), read('moved')]).toEqual([false, 'other']);
  });

  it('refuses what would lose something on the way to another machine', async () => {
    symlinkSync('inner', path.join(root, 'tree', 'link'));

    expect(await failureOf(copy({ from: place('gone'), to: place('file', elsewhere), overwrite: true }))).toMatch(
      /^notFound/,
    );
    expect(read('file')).toBe('other');
    expect(await failureOf(copy({ from: place('tree'), to: place('copied', elsewhere), overwrite: false }))).toBe('refused');
    expect(await failureOf(move({ from: place('tree'), to: place('moved', elsewhere), overwrite: false }))).toBe('refused');
    expect(read('tree/inner/file')).toBe('content');
  });
});
