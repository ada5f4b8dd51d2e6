import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../src/files/fileError';
import { LocalFileSystem } from '../../../src/files/localFileSystem';
import { ChangeFinder, MAX_FOLLOWED_FOLDERS } from '../../../src/vscode/files/changeFinder';
import { tempDir } from '../../support/tempDir';

describe('changes among files', () => {
  const machine = new LocalFileSystem();
  let finder: ChangeFinder;
  let root: string;
  /** Changes since the last time, by the names in the root. */
  const find = async (...open: readonly string[]): Promise<Record<string, string>> => {
    const changes = await finder.find(
      machine,
      open.map((name) => path.join(root, name)),
    );
    return Object.fromEntries([...changes].map(([file, kind]) => [path.relative(root, file), kind]));
  };
  const list = async (folder: string): Promise<void> => finder.noteListing(folder, await machine.readDirectory(folder));

  beforeEach(() => {
    finder = new ChangeFinder();
    root = tempDir();
  });

  it('are told of open files: new content, the end, and a new beginning', async () => {
    const file = path.join(root, 'file');
    writeFileSync(file, 'one');
    const told = [await find('file'), await find('file')];
    writeFileSync(file, 'longer');
    told.push(await find('file'));
    // The same length, at another time.
    utimesSync(file, 1, 1);
    told.push(await find('file'));
    rmSync(file);
    told.push(await find('file'));
    writeFileSync(file, 'again');
    told.push(await find('file'), await find('file'));

    const [changed, deleted, created] = [{ file: 'changed' }, { file: 'deleted' }, { file: 'created' }];
    expect(told).toEqual([{}, {}, changed, changed, deleted, created, {}]);
  });

  it('are told of listed folders, also those from before the first look', async () => {
    writeFileSync(path.join(root, 'stays'), '');
    writeFileSync(path.join(root, 'goes'), '');
    await list(root);
    writeFileSync(path.join(root, 'comes'), '');
    rmSync(path.join(root, 'goes'));

    expect(await find()).toEqual({ comes: 'created', goes: 'deleted' });
    expect(await find()).toEqual({});
    mkdirSync(path.join(root, 'later'));
    expect(await find()).toEqual({ later: 'created' });
  });

  it('are not made up where nobody answers, and are found when somebody does', async () => {
    writeFileSync(path.join(root, 'file'), 'one');
    await find('file');
    writeFileSync(path.join(root, 'file'), 'longer');
    const lost = new LocalFileSystem();
    lost.getMetadata = () => Promise.reject(new FileError('lost', { kind: 'unreachable' }));

    expect(await finder.find(lost, [path.join(root, 'file')])).toEqual(new Map());
    expect(await find('file')).toEqual({ file: 'changed' });
  });

  it('are looked for in as many folders as were listed last', async () => {
    await list(root);
    for (let index = 0; index < MAX_FOLLOWED_FOLDERS; index++) {
      mkdirSync(path.join(root, String(index)));
      await list(path.join(root, String(index)));
    }

    // The root was the first, and is not followed any more.
    expect(await find()).toEqual({});
    writeFileSync(path.join(root, '0', 'new'), '');
    expect(await find()).toEqual({ '0/new': 'created' });
  });
});
