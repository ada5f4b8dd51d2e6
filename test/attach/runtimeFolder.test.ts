import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRuntimeFolder, findRuntimeFolders } from '../../src/attach/runtimeFolder';
import { tempDir } from '../support/tempDir';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the folder for records and sockets', () => {
  it('lies in the run-time folder of the user, open to nobody else, and is found there again', () => {
    const env = { XDG_RUNTIME_DIR: tempDir() };

    const folder = createRuntimeFolder(env);

    expect(folder).toBe(path.join(env.XDG_RUNTIME_DIR, 'exec-sessions'));
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(createRuntimeFolder(env)).toBe(folder);
    expect(findRuntimeFolders(env)).toContain(folder);
  });

  it('is searched for where a window of another environment would have put it', () => {
    const folder = createRuntimeFolder({ EXEC_SESSIONS_RUNTIME_DIR: path.join(tempDir(), 'run') });

    expect(findRuntimeFolders({ EXEC_SESSIONS_RUNTIME_DIR: folder })).toContain(folder);
    expect(findRuntimeFolders({ XDG_RUNTIME_DIR: 'relative' })).not.toContain('relative/exec-sessions');
  });

  it('is not made by looking for it', () => {
    const env = { XDG_RUNTIME_DIR: tempDir() };

    const folders = findRuntimeFolders(env);

    expect(folders.filter((folder) => folder.startsWith(env.XDG_RUNTIME_DIR))).toEqual([]);
    expect(existsSync(path.join(env.XDG_RUNTIME_DIR, 'exec-sessions'))).toBe(false);
  });

  it.each([
    [
      'a folder in which others can replace it',
      (parent: string) => {
        chmodSync(parent, 0o777);
      },
    ],
    [
      'a folder that is already open to others',
      (parent: string) => {
        mkdirSync(path.join(parent, 'exec-sessions'), { mode: 0o755 });
      },
    ],
    [
      'a link to a folder, even to a safe one',
      (parent: string) => {
        mkdirSync(path.join(parent, 'elsewhere'), { mode: 0o700 });
        symlinkSync('elsewhere', path.join(parent, 'exec-sessions'));
      },
    ],
  ])('is never %s', (_what, spoil) => {
    const parent = tempDir();
    vi.stubEnv('TMPDIR', tempDir());
    spoil(parent);

    const chosen = createRuntimeFolder({ XDG_RUNTIME_DIR: parent });

    expect(
      [chosen, ...findRuntimeFolders({ XDG_RUNTIME_DIR: parent })].filter((folder) => folder.startsWith(parent)),
    ).toEqual([]);
  });

  it('may lie in a folder for everybody where none can touch the files of another', () => {
    const parent = tempDir();
    chmodSync(parent, 0o1777);

    expect(createRuntimeFolder({ XDG_RUNTIME_DIR: parent })).toBe(path.join(parent, 'exec-sessions'));
  });
});
