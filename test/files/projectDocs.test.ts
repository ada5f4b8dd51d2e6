import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { findProjectDocs, MAX_PROJECT_DOC_BYTES, type ProjectDocs } from '../../src/files/projectDocs';
import { tempDir } from '../support/tempDir';

const files = new LocalFileSystem();
let root: string;

beforeEach(() => {
  root = tempDir();
});

/** Makes the files, with the folders that they lie in. */
function write(contents: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
}

async function find(folder: string, fallbackNames?: readonly string[]): Promise<ProjectDocs> {
  const found = await findProjectDocs(files, { cwd: path.join(root, folder), fallbackNames });
  return { ...found, paths: found.paths.map((file) => path.relative(root, file)) };
}

it('takes one file of each folder, from the root of the project down to the one that is worked in', async () => {
  write({
    '.git/HEAD': '',
    'AGENTS.md': 'of the root\n',
    'sub/AGENTS.md': 'not this one',
    'sub/AGENTS.override.md': 'of sub\n',
    'sub/deep/AGENTS.md': 'of deep\n',
    'sub/deep/below/AGENTS.md': 'of below',
    'beside/AGENTS.md': 'of beside',
  });

  expect(await find('sub/deep')).toEqual({
    paths: ['AGENTS.md', 'sub/AGENTS.override.md', 'sub/deep/AGENTS.md'],
    text: 'of the root\n\n\nof sub\n\n\nof deep\n',
    omittedBytes: 0,
  });
});

it('looks nowhere above the nearest root of a project', async () => {
  write({ '.git/HEAD': '', 'AGENTS.md': 'outer', 'inner/.git': 'gitdir: elsewhere', 'inner/sub/AGENTS.md': 'inner' });

  expect(await find('inner/sub')).toMatchObject({ text: 'inner' });
});

it('takes the folder alone where nothing marks a project', async () => {
  write({ 'AGENTS.md': 'above', 'sub/AGENTS.md': 'here' });

  expect(await find('sub')).toMatchObject({ text: 'here' });
});

it('takes another name only where a folder has none of the usual ones', async () => {
  write({
    '.git/HEAD': '',
    'AGENTS.md': 'usual',
    'CLAUDE.md': 'other',
    'sub/CLAUDE.md': 'fallback',
    'sub/GEMINI.md': 'second',
  });

  expect(await find('sub', ['CLAUDE.md', 'GEMINI.md'])).toMatchObject({ text: 'usual\n\nfallback' });
  expect(await find('sub')).toMatchObject({ text: 'usual' });
});

it('follows a link, and counts neither a folder of that name nor what says nothing', async () => {
  write({ '.git/HEAD': '', 'docs/agents.md': 'linked', 'a/b/AGENTS.md': ' \n' });
  symlinkSync('docs/agents.md', path.join(root, 'AGENTS.md'));
  mkdirSync(path.join(root, 'a', 'AGENTS.md'));

  expect(await find('a/b')).toEqual({ paths: ['AGENTS.md'], text: 'linked', omittedBytes: 0 });
});

it('ends where there is no more room, between two characters, and counts what is missing', async () => {
  const half = MAX_PROJECT_DOC_BYTES / 2;
  write({ '.git/HEAD': '', 'AGENTS.md': `x${'é'.repeat(half - 1)}`, 'a/AGENTS.md': 'éé', 'a/b/AGENTS.md': 'lost' });

  const found = await find('a/b');

  expect(found.text.endsWith('é')).toBe(true);
  expect(found.paths).toEqual(['AGENTS.md']);
  expect(Buffer.byteLength(found.text)).toBe(MAX_PROJECT_DOC_BYTES - 1);
  expect(found.omittedBytes).toBe(Buffer.byteLength('éélost'));
});

it('says nothing of a folder that tells nothing', async () => {
  expect(await find('')).toEqual({ paths: [], text: '', omittedBytes: 0 });
  expect(await find('missing')).toEqual({ paths: [], text: '', omittedBytes: 0 });
});
