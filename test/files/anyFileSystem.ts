/** What every file system does, wherever its files are. Each test asks for it anew. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { ExecutorFileSystem } from '../../src/files/executorFileSystem';
import { FileError } from '../../src/files/fileError';
import { MAX_BLOCK_BYTES, MAX_WHOLE_FILE_BYTES } from '../../src/files/limits';
import { tempDir } from '../support/tempDir';
import { type Differences, testBut } from '../support/testBut';

export type GetFiles = () => ExecutorFileSystem | Promise<ExecutorFileSystem>;

/** `kind` and, where the system said it, the system's code of the error that this rejects with. */
export async function failureOf(done: Promise<unknown>): Promise<string> {
  const error: unknown = await done.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FileError)) return String(error);
  return [error.kind, error.systemCode].filter((part) => part !== undefined).join(' ');
}

const WALK = { maxDepth: 10, maxDirectories: 100, maxEntries: 100, followDirectorySymlinks: false };

export function describeFiles(getFiles: GetFiles, differences: Differences = {}): void {
  const it = testBut(differences);

  it('reads what is in a file, byte for byte, also through a link', async () => {
    const folder = tempDir();
    const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);
    writeFileSync(path.join(folder, 'with space é %41'), bytes);
    symlinkSync('with space é %41', path.join(folder, 'link'));
    const files = await getFiles();

    expect(await files.readFile(path.join(folder, 'with space é %41'))).toEqual(bytes);
    expect(await files.readFile(path.join(folder, 'link'))).toEqual(bytes);
  });

  if (process.platform === 'linux') {
    it('reads files of the kernel, which have no size', async () => {
      const files = await getFiles();

      expect((await files.readFile('/proc/self/mountinfo')).toString()).toMatch(/ - proc /);
    });
  }

  it('says what is wrong with a path that it cannot read', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'file'), '');
    const files = await getFiles();

    expect([
      await failureOf(files.readFile(path.join(folder, 'nowhere'))),
      await failureOf(files.readFile(path.join(folder, 'file', 'below'))),
      await failureOf(files.readFile(folder)),
      await failureOf(files.readFile('/dev/null')),
    ]).toEqual(['notFound ENOENT', 'failed ENOTDIR', 'refused', 'refused']);
  });

  it('names the path in its errors', async () => {
    const files = await getFiles();

    await expect(files.readFile('/no/such/file')).rejects.toThrow(/\/no\/such\/file.*[Nn]o such file.*\(os error 2\)/);
  });

  it('writes a file anew, and over what was there', async () => {
    const file = path.join(tempDir(), 'file');
    const files = await getFiles();

    await files.writeFile(file, Buffer.from('a longer first text'));
    await files.writeFile(file, Buffer.from('short'));

    expect(readFileSync(file, 'utf8')).toBe('short');
  });

  it('writes through a link into its target, and makes what a link leads to', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'target'), 'before');
    symlinkSync('target', path.join(folder, 'link'));
    symlinkSync('new', path.join(folder, 'dangling'));
    const files = await getFiles();

    await files.writeFile(path.join(folder, 'link'), Buffer.from('after'));
    await files.writeFile(path.join(folder, 'dangling'), Buffer.from('made'));

    expect(readlinkSync(path.join(folder, 'link'))).toBe('target');
    expect(readFileSync(path.join(folder, 'target'), 'utf8')).toBe('after');
    expect(readFileSync(path.join(folder, 'new'), 'utf8')).toBe('made');
  });

  it('makes no folder for a file, and puts none in place of a folder', async () => {
    const folder = tempDir();
    const files = await getFiles();

    expect([
      await failureOf(files.writeFile(path.join(folder, 'missing', 'file'), Buffer.alloc(1))),
      await failureOf(files.writeFile(folder, Buffer.alloc(1))),
    ]).toEqual(['notFound ENOENT', 'failed EISDIR']);
  });

  it('takes files through that are larger than a message, whole', async () => {
    const folder = tempDir();
    const bytes = Buffer.alloc(17 * MAX_BLOCK_BYTES + 3);
    for (let index = 0; index < bytes.length; index += 4_096) bytes.writeUInt32LE(index, Math.min(index, bytes.length - 4));
    const files = await getFiles();

    await files.writeFile(path.join(folder, 'large'), bytes);

    expect(readFileSync(path.join(folder, 'large')).equals(bytes)).toBe(true);
    expect((await files.readFile(path.join(folder, 'large'))).equals(bytes)).toBe(true);
  });

  it('refuses to read or write more than the limit as a whole', async () => {
    const file = path.join(tempDir(), 'huge');
    writeFileSync(file, '');
    truncateSync(file, MAX_WHOLE_FILE_BYTES + 1);
    const files = await getFiles();

    expect(await failureOf(files.readFile(file))).toBe('refused');
    expect(await failureOf(files.writeFile(file, Buffer.alloc(MAX_WHOLE_FILE_BYTES + 1)))).toBe('refused');
    await expect(files.readFile(file)).rejects.toThrow(String(MAX_WHOLE_FILE_BYTES));
  });

  it('follows no link where it is asked not to', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'real'));
    writeFileSync(path.join(folder, 'real', 'file'), 'text');
    symlinkSync('real', path.join(folder, 'folder'));
    symlinkSync('real/file', path.join(folder, 'link'));
    const files = await getFiles();
    const access = { followSymlinks: false };

    expect((await files.readFile(path.join(folder, 'real', 'file'), access)).toString()).toBe('text');
    expect([
      await failureOf(files.readFile(path.join(folder, 'link'), access)),
      await failureOf(files.readFile(path.join(folder, 'folder', 'file'), access)),
      await failureOf(files.writeFile(path.join(folder, 'link'), Buffer.alloc(1), access)),
      await failureOf(files.getMetadata(path.join(folder, 'link'), access)),
      await failureOf(files.createDirectory(path.join(folder, 'folder', 'new'), access)),
      await failureOf(files.remove(path.join(folder, 'folder', 'file'), { ...access, isRecursive: false })),
    ]).toEqual(['failed ELOOP', 'failed ENOTDIR', 'failed ELOOP', 'refused', 'failed ENOTDIR', 'failed ENOTDIR']);
    expect(readFileSync(path.join(folder, 'real', 'file'), 'utf8')).toBe('text');
  });

  it('takes .. by its letters, before links', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'a', 'b'), { recursive: true });
    symlinkSync('a/b', path.join(folder, 'link'));
    writeFileSync(path.join(folder, 'here'), 'here');
    const files = await getFiles();

    expect((await files.readFile(`${folder}/link/../here`)).toString()).toBe('here');
  });

  it('tells of a file, a folder, a device and what a link leads to', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'file'), 'hello\n');
    utimesSync(path.join(folder, 'file'), 1_700_000_000, 1_700_000_000);
    symlinkSync('file', path.join(folder, 'link'));
    const files = await getFiles();
    const { createdAtMs, ...link } = await files.getMetadata(path.join(folder, 'link'));

    expect(link).toEqual({
      isDirectory: false,
      isFile: true,
      isSymlink: true,
      sizeBytes: 6,
      modifiedAtMs: 1_700_000_000_000,
    });
    expect(createdAtMs).toBeGreaterThanOrEqual(0);
    expect(await files.getMetadata(folder)).toMatchObject({ isDirectory: true, isFile: false, isSymlink: false });
    expect(await files.getMetadata('/')).toMatchObject({ isDirectory: true, isSymlink: false });
    expect(await files.getMetadata('/dev/null')).toMatchObject({ isDirectory: false, isFile: false });
    expect(await failureOf(files.getMetadata(path.join(folder, 'nowhere')))).toBe('notFound ENOENT');
  });

  it('tells where a path leads in the end', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', path.join(folder, 'link'));
    const files = await getFiles();

    expect(await files.canonicalize(path.join(folder, 'link'))).toBe(path.join(folder, 'real'));
    expect(await files.canonicalize('/')).toBe('/');
    expect(await failureOf(files.canonicalize(path.join(folder, 'nowhere')))).toBe('notFound ENOENT');
  });

  it('makes folders with their parents, and alone', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'file'), '');
    const files = await getFiles();

    await files.createDirectory(path.join(folder, 'a', 'b', 'c'));
    await files.createDirectory(path.join(folder, 'a', 'b', 'c'));
    await files.createDirectory(path.join(folder, 'alone'), { isRecursive: false });

    expect(statSync(path.join(folder, 'a', 'b', 'c')).isDirectory()).toBe(true);
    expect(statSync(path.join(folder, 'alone')).isDirectory()).toBe(true);
    expect([
      await failureOf(files.createDirectory(path.join(folder, 'alone'), { isRecursive: false })),
      await failureOf(files.createDirectory(path.join(folder, 'x', 'y'), { isRecursive: false })),
      await failureOf(files.createDirectory(path.join(folder, 'file'))),
    ]).toEqual(['failed EEXIST', 'notFound ENOENT', 'failed EEXIST']);
  });

  it('lists a folder: what each entry leads to, and nothing that leads nowhere', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'folder'));
    writeFileSync(path.join(folder, '.hidden'), '');
    symlinkSync('folder', path.join(folder, 'link'));
    symlinkSync('nowhere', path.join(folder, 'dangling'));
    const files = await getFiles();

    const entries = await files.readDirectory(folder);

    expect([...entries].sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: '.hidden', isDirectory: false, isFile: true },
      { name: 'folder', isDirectory: true, isFile: false },
      { name: 'link', isDirectory: true, isFile: false },
    ]);
    expect(await failureOf(files.readDirectory(path.join(folder, '.hidden')))).toBe('failed ENOTDIR');
  });

  it('walks a tree, the upper folders first, as deep and as far as it is asked to', async () => {
    const root = walkableTree();
    const files = await getFiles();
    const walk = async (options: object): Promise<string[]> => {
      const { entries, errors, isTruncated } = await files.walk(root, { ...WALK, ...options });
      expect(errors).toEqual([]);
      const shown = entries.map((entry) => `${path.relative(root, entry.path)}${entry.kind === 'file' ? '' : '/'}`);
      return [...shown, ...(isTruncated ? ['...'] : [])];
    };

    expect(await walk({})).toEqual(['.h/', 'B/', 'a/', 'a.txt', '.h/in', 'a/b/', 'a/f', 'a/b/g']);
    expect(await walk({ maxDepth: 0 })).toEqual(['.h/', 'B/', 'a/', 'a.txt']);
    expect(await walk({ maxDepth: 1 })).toEqual(['.h/', 'B/', 'a/', 'a.txt', '.h/in', 'a/b/', 'a/f']);
    expect(await walk({ maxDirectories: 2 })).toEqual(['.h/', 'B/', 'a/', 'a.txt', '.h/in', '...']);
    expect(await walk({ maxEntries: 3 })).toEqual(['.h/', 'B/', 'a/', '...']);
    expect(await walk({ pruneHiddenDirectories: true })).toEqual(['.h/', 'B/', 'a/', 'a.txt', 'a/b/', 'a/f', 'a/b/g']);
    expect(await walk({ followDirectorySymlinks: true })).toEqual([
      '.h/',
      'B/',
      'a/',
      'a.txt',
      'linked/',
      'loop/',
      '.h/in',
      'a/b/',
      'a/f',
      'a/b/g',
    ]);
  });

  it('walks nothing where there is no folder', async () => {
    const root = walkableTree();
    const files = await getFiles();

    expect(await files.walk(path.join(root, 'a.txt'), WALK)).toEqual({ entries: [], errors: [], isTruncated: false });
    expect(await failureOf(files.walk(path.join(root, 'nowhere'), WALK))).toBe('notFound ENOENT');
    expect(await failureOf(files.walk(root, { ...WALK, maxEntries: 0 }))).toBe('refused');
  });

  it('removes files, links without their targets, and folders with all that is in them', async () => {
    const folder = walkableTree();
    mkdirSync(path.join(folder, 'kept'));
    writeFileSync(path.join(folder, 'kept', 'file'), '');
    symlinkSync('../kept', path.join(folder, 'a', 'to-kept'));
    const files = await getFiles();

    await files.remove(path.join(folder, 'a.txt'), { isRecursive: false, isForced: false });
    await files.remove(path.join(folder, 'loop'));
    await files.remove(path.join(folder, 'B'), { isRecursive: false });
    await files.remove(path.join(folder, 'a'));
    await files.remove(path.join(folder, 'a'));

    expect(['a.txt', 'loop', 'B', 'a'].filter((name) => existsSync(path.join(folder, name)))).toEqual([]);
    expect(existsSync(path.join(folder, 'kept', 'file'))).toBe(true);
    expect([
      await failureOf(files.remove(path.join(folder, 'a'), { isForced: false })),
      await failureOf(files.remove(path.join(folder, 'kept'), { isRecursive: false })),
    ]).toEqual(['notFound ENOENT', 'failed ENOTEMPTY']);
  });

  it('copies files with their mode, links as links, and folders into what is there', async () => {
    const folder = walkableTree();
    writeFileSync(path.join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 });
    mkdirSync(path.join(folder, 'copy'));
    writeFileSync(path.join(folder, 'copy', 'f'), 'old');
    writeFileSync(path.join(folder, 'copy', 'other'), 'stays');
    const files = await getFiles();

    await files.copy(path.join(folder, 'program'), path.join(folder, 'program2'), { isRecursive: false });
    await files.copy(path.join(folder, 'linked'), path.join(folder, 'linked2'), { isRecursive: false });
    await files.copy(path.join(folder, 'a'), path.join(folder, 'copy'), { isRecursive: true });

    expect(statSync(path.join(folder, 'program2')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(path.join(folder, 'linked2'))).toBe('a');
    expect(['f', 'other', 'b/g'].map((name) => readFileSync(path.join(folder, 'copy', name), 'utf8'))).toEqual([
      'f of a',
      'stays',
      'g',
    ]);
  });

  it('refuses copies that cannot be meant', async () => {
    const folder = walkableTree();
    const files = await getFiles();
    const copy = (from: string, to: string, isRecursive: boolean): Promise<string> =>
      failureOf(files.copy(path.join(folder, from), path.join(folder, to), { isRecursive }));

    expect([
      await copy('a', 'copy', false),
      await copy('a', 'a/b/copy', true),
      await copy('a', 'a', true),
      await copy('nowhere', 'copy', false),
      await failureOf(files.copy('/dev/null', path.join(folder, 'copy'), { isRecursive: false })),
    ]).toEqual(['refused', 'refused', 'refused', 'notFound ENOENT', 'refused']);
    expect(existsSync(path.join(folder, 'copy'))).toBe(false);
  });

  it('does not empty a file that is copied onto itself', async () => {
    const folder = walkableTree();
    const files = await getFiles();
    const file = path.join(folder, 'a', 'f');

    expect(await failureOf(files.copy(file, path.join(folder, 'linked', 'f'), { isRecursive: false }))).toBe('refused');
    expect(readFileSync(file, 'utf8')).toBe('f of a');
  });

  it('reads an open file in blocks, and tells its end', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, '0123456789');
    const open = await (await getFiles()).open(file, 'read');

    const blocks = [];
    for (const [offset, length] of [
      [0, 4],
      [6, 4],
      [6, 5],
      [20, 4],
    ] as const) {
      const { bytes, isEnd } = await open.readBlock(offset, length);
      blocks.push([bytes.toString(), isEnd]);
    }
    await open.close();
    await open.close();

    expect(blocks).toEqual([
      ['0123', false],
      ['6789', false],
      ['6789', true],
      ['', true],
    ]);
  });

  it('writes blocks where they belong, with zeros between them', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'what was there is gone');
    const open = await (await getFiles()).open(file, 'replace');

    await open.writeBlock(5, Buffer.from('later'));
    await open.writeBlock(0, Buffer.from('abc'));
    await open.close();

    expect(readFileSync(file, 'latin1')).toBe('abc\0\0later');
  });

  it('refuses blocks of no bytes or too many, and what the file was not opened for', async () => {
    const file = path.join(tempDir(), 'file');
    const files = await getFiles();
    const written = await files.open(file, 'replace');
    const read = await files.open(file, 'read');

    expect([
      await failureOf(read.readBlock(0, 0)),
      await failureOf(read.readBlock(0, MAX_BLOCK_BYTES + 1)),
      await failureOf(written.writeBlock(0, Buffer.alloc(0))),
      await failureOf(written.writeBlock(0, Buffer.alloc(MAX_BLOCK_BYTES + 1))),
      await failureOf(read.writeBlock(0, Buffer.alloc(1))),
      await failureOf(written.readBlock(0, 1)),
    ]).toEqual(['refused', 'refused', 'refused', 'refused', 'failed EBADF', 'failed EBADF']);
    await Promise.all([written.close(), read.close()]);
    expect(await failureOf(read.readBlock(0, 1))).toMatch(/^(failed EBADF|notFound)$/);
  });

  it('opens only regular files, without waiting for a pipe', async () => {
    const folder = tempDir();
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const files = await getFiles();

    expect([
      await failureOf(files.open(folder, 'read')),
      await failureOf(files.open('/dev/null', 'read')),
      await failureOf(files.open(path.join(folder, 'pipe'), 'read')),
      await failureOf(files.open(path.join(folder, 'pipe'), 'replace')),
      await failureOf(files.open(path.join(folder, 'nowhere'), 'read')),
      await failureOf(files.open(folder, 'replace')),
    ]).toEqual(['refused', 'refused', 'refused', 'refused', 'notFound ENOENT', 'failed EISDIR']);
  });

  it('refuses a path that is not absolute', async () => {
    expect(await failureOf((await getFiles()).readFile('relative/path'))).toBe('badRequest');
  });
}

/** `.h/in`, `B/`, `a/{f,b/g}`, `a.txt`, `linked` to `a`, and `loop` to itself. */
function walkableTree(): string {
  const root = tempDir();
  for (const folder of ['.h', 'B', 'a/b']) mkdirSync(path.join(root, folder), { recursive: true });
  for (const [file, text] of [
    ['.h/in', ''],
    ['a.txt', ''],
    ['a/f', 'f of a'],
    ['a/b/g', 'g'],
  ] as const) {
    writeFileSync(path.join(root, file), text);
  }
  symlinkSync('a', path.join(root, 'linked'));
  symlinkSync('.', path.join(root, 'loop'));
  return root;
}
