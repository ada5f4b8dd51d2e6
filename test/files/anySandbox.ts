/** What no file system does outside of a sandbox, however it is asked. Each test asks for the file system anew. */
import { fork } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { FileAccess } from '../../src/files/executorFileSystem';
import type { FileSandbox, SandboxEntry } from '../../src/files/sandbox/fileSandbox';
import { tempDir } from '../support/tempDir';
import { type Differences, testBut } from '../support/testBut';
import { failureOf, type GetFiles } from './anyFileSystem';

const X = Buffer.from('x');
const READ_ROOT: SandboxEntry = { where: { kind: 'root' }, access: 'read' };
const WRITE_WORKSPACE: SandboxEntry = { where: { kind: 'workspaceRoots' }, access: 'write' };
const PROTECTED: SandboxEntry[] = ['.git', '.codex'].map((subpath) => ({
  where: { kind: 'workspaceRoots', subpath },
  access: 'read',
}));

/** How often the attackers of a race are let loose. */
const RACES = 120;

interface Place {
  readonly root: string;
  readonly workspace: string;
  /** Below the workspace. */
  at(...names: string[]): string;
  sandbox(entries: readonly SandboxEntry[]): FileAccess & { readonly sandbox: FileSandbox };
  /** What Codex sends where an agent may write in the workspace. */
  readonly workspaceWrite: FileAccess;
}

function createPlace(): Place {
  const root = tempDir();
  const workspace = path.join(root, 'ws');
  for (const folder of ['ws/.git', 'ws/sub', 'outside']) mkdirSync(path.join(root, folder), { recursive: true });
  for (const file of ['ws/a', 'ws/.git/config', 'ws/sub/f', 'outside/o']) writeFileSync(path.join(root, file), file);
  const sandbox = (entries: readonly SandboxEntry[]): { readonly sandbox: FileSandbox } => ({
    sandbox: { permissions: { kind: 'restricted', entries }, cwd: workspace, workspaceRoots: [workspace] },
  });
  return {
    root,
    workspace,
    at: (...names) => path.join(workspace, ...names),
    sandbox,
    workspaceWrite: sandbox([READ_ROOT, WRITE_WORKSPACE, ...PROTECTED]),
  };
}

function grant(where: string, access: SandboxEntry['access']): SandboxEntry {
  return { where: { kind: 'path', path: where }, access };
}

function denyPattern(pattern: string): SandboxEntry {
  return { where: { kind: 'pattern', pattern }, access: 'deny' };
}

const READ_ONLY = 'failed EROFS';
const DENIED = 'refused EACCES';
const NOT_FOUND = 'notFound ENOENT';

export function describeSandbox(getFiles: GetFiles, differences: Differences = {}): void {
  const it = testBut(differences);

  it('that is read-only lets everything be read, and nothing be changed', async () => {
    const { at, workspace, sandbox } = createPlace();
    const files = await getFiles();
    const access = sandbox([READ_ROOT]);

    expect((await files.readFile(at('a'), access)).toString()).toBe('ws/a');
    expect(await files.readDirectory(workspace, access)).toHaveLength(3);
    expect([
      await failureOf(files.writeFile(at('a'), X, access)),
      await failureOf(files.writeFile(at('new'), X, access)),
      await failureOf(files.open(at('a'), 'replace', access)),
      await failureOf(files.createDirectory(at('new'), access)),
      await failureOf(files.remove(at('sub'), access)),
      await failureOf(files.copy(at('a'), at('new'), { ...access, isRecursive: false })),
    ]).toEqual(Array(6).fill(READ_ONLY));
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'a', 'sub']);
    expect(readFileSync(at('a'), 'utf8')).toBe('ws/a');
  });

  it('that opens a workspace lets it be changed, and nothing else', async () => {
    const { root, at, workspaceWrite } = createPlace();
    const files = await getFiles();
    const outside = path.join(root, 'outside');

    await files.writeFile(at('a'), X, workspaceWrite);
    await files.writeFile(at('new'), X, workspaceWrite);
    await files.createDirectory(at('folder', 'below'), workspaceWrite);
    await files.copy(path.join(outside, 'o'), at('copied'), { ...workspaceWrite, isRecursive: false });
    await files.remove(at('sub'), workspaceWrite);

    expect(['a', 'new', 'folder/below', 'copied', 'sub'].map((name) => existsSync(at(name)))).toEqual([
      ...Array<boolean>(4).fill(true),
      false,
    ]);
    expect([
      await failureOf(files.writeFile(path.join(outside, 'o'), X, workspaceWrite)),
      await failureOf(files.writeFile(`${at('sub')}/../../outside/new`, X, workspaceWrite)),
      await failureOf(files.createDirectory(path.join(outside, 'new'), workspaceWrite)),
      await failureOf(files.remove(path.join(outside, 'o'), workspaceWrite)),
      await failureOf(files.copy(at('a'), path.join(outside, 'new'), { ...workspaceWrite, isRecursive: false })),
      await failureOf(files.open(path.join(outside, 'o'), 'replace', workspaceWrite)),
    ]).toEqual(Array(6).fill(READ_ONLY));
    expect(readdirSync(outside)).toEqual(['o']);
    expect(readFileSync(path.join(outside, 'o'), 'utf8')).toBe('outside/o');
  });

  it('protects places within what may be changed', async () => {
    const { at, workspaceWrite } = createPlace();
    const files = await getFiles();

    expect((await files.readFile(at('.git', 'config'), workspaceWrite)).toString()).toBe('ws/.git/config');
    expect([
      await failureOf(files.writeFile(at('.git', 'config'), X, workspaceWrite)),
      await failureOf(files.writeFile(at('.git', 'hook'), X, workspaceWrite)),
      await failureOf(files.remove(at('.git'), workspaceWrite)),
    ]).toEqual(Array(3).fill(READ_ONLY));
    expect(readdirSync(at('.git'))).toEqual(['config']);
  });

  it('lets no protected place be made that is not there', async () => {
    const { at, workspaceWrite } = createPlace();
    const files = await getFiles();

    expect(await failureOf(files.createDirectory(at('.codex'), workspaceWrite))).toBe(READ_ONLY);
    expect(await failureOf(files.writeFile(at('.codex'), X, workspaceWrite))).toBe(READ_ONLY);
    expect(existsSync(at('.codex'))).toBe(false);
  });

  it('removes nothing of a folder that has something protected in it', async () => {
    const { root, at, sandbox } = createPlace();
    const files = await getFiles();
    const access = sandbox([READ_ROOT, grant(root, 'write'), grant(at('.git'), 'read')]);

    expect(await failureOf(files.remove(at(), access))).toBe(READ_ONLY);
    expect(readdirSync(at()).sort()).toEqual(['.git', 'a', 'sub']);
  });

  it('does not let the root of what may be changed be removed from where it is', async () => {
    const { at, workspace, workspaceWrite, sandbox } = createPlace();
    const files = await getFiles();

    expect(await failureOf(files.remove(workspace, workspaceWrite))).toBe(READ_ONLY);
    expect(await failureOf(files.remove(workspace, sandbox([READ_ROOT, WRITE_WORKSPACE])))).toBe(READ_ONLY);
    expect(existsSync(at('a'))).toBe(true);
  });

  it('is not left by links, whatever they lead to and however many there are', async () => {
    const { root, at, workspaceWrite } = createPlace();
    symlinkSync('../outside/o', at('file'));
    symlinkSync(path.join(root, 'outside'), at('folder'));
    symlinkSync('../outside/new', at('dangling'));
    symlinkSync('dangling', at('chain'));
    symlinkSync('.git/config', at('to-git'));
    symlinkSync('sub/../../outside/through-dots', at('dots'));
    const files = await getFiles();

    expect([
      await failureOf(files.writeFile(at('file'), X, workspaceWrite)),
      await failureOf(files.open(at('file'), 'replace', workspaceWrite)),
      await failureOf(files.writeFile(at('folder', 'new'), X, workspaceWrite)),
      await failureOf(files.createDirectory(at('folder', 'new'), workspaceWrite)),
      await failureOf(files.remove(at('folder', 'o'), workspaceWrite)),
      await failureOf(files.writeFile(at('dangling'), X, workspaceWrite)),
      await failureOf(files.writeFile(at('chain'), X, workspaceWrite)),
      await failureOf(files.writeFile(at('to-git'), X, workspaceWrite)),
      await failureOf(files.writeFile(at('dots'), X, workspaceWrite)),
      await failureOf(files.copy(at('a'), at('file'), { ...workspaceWrite, isRecursive: false })),
    ]).toEqual(Array(10).fill(READ_ONLY));
    expect(readdirSync(path.join(root, 'outside'))).toEqual(['o']);
    expect(readFileSync(path.join(root, 'outside', 'o'), 'utf8')).toBe('outside/o');
    await files.remove(at('folder'), workspaceWrite);
    expect(existsSync(path.join(root, 'outside', 'o'))).toBe(true);
  });

  it('lets links lead to what it has', async () => {
    const { at, workspaceWrite } = createPlace();
    symlinkSync('sub', at('folder'));
    symlinkSync('folder/made', at('dangling'));
    const files = await getFiles();

    await files.writeFile(at('dangling'), X, workspaceWrite);

    expect(readFileSync(at('sub', 'made'), 'utf8')).toBe('x');
    expect((await files.readFile(at('folder', 'f'), workspaceWrite)).toString()).toBe('ws/sub/f');
  });

  it('hides what it does not name, also behind links', async () => {
    const { root, at, workspace, sandbox } = createPlace();
    symlinkSync('../outside/o', at('link'));
    symlinkSync('../outside', at('folder'));
    const files = await getFiles();
    const access = sandbox([grant(workspace, 'read')]);
    const outside = path.join(root, 'outside');

    expect([
      await failureOf(files.readFile(path.join(outside, 'o'), access)),
      await failureOf(files.getMetadata(path.join(outside, 'o'), access)),
      await failureOf(files.readFile(path.join(outside, 'o', 'below'), access)),
      await failureOf(files.readDirectory(outside, access)),
      await failureOf(files.writeFile(path.join(outside, 'new'), X, access)),
      await failureOf(files.readFile(at('link'), access)),
      await failureOf(files.getMetadata(at('link'), access)),
      await failureOf(files.canonicalize(at('link'), access)),
      await failureOf(files.readDirectory(at('folder'), access)),
      await failureOf(files.open(at('folder', 'o'), 'read', access)),
    ]).toEqual(Array(10).fill(NOT_FOUND));
  });

  it('shows of the folders above what it names nothing but the way there', async () => {
    const { root, workspace, sandbox, at } = createPlace();
    symlinkSync('../outside', at('folder'));
    const files = await getFiles();
    const access = sandbox([grant(workspace, 'read')]);

    expect(await files.readDirectory(root, access)).toEqual([{ name: 'ws', isDirectory: true, isFile: false }]);
    expect((await files.readDirectory(workspace, access)).map(({ name }) => name).sort()).toEqual(['.git', 'a', 'sub']);
    const walked = await files.walk(root, {
      maxDepth: 1,
      maxDirectories: 10,
      maxEntries: 10,
      followDirectorySymlinks: true,
      ...access,
    });
    expect(walked.entries.map((entry) => path.relative(root, entry.path))).toEqual(['ws', 'ws/.git', 'ws/a', 'ws/sub']);
  });

  it('denies files and folders with all below, more closely named or not', async () => {
    const { at, sandbox } = createPlace();
    const files = await getFiles();
    const access = sandbox([
      READ_ROOT,
      WRITE_WORKSPACE,
      grant(at('sub'), 'deny'),
      grant(at('a'), 'deny'),
      grant(at('sub', 'f'), 'read'),
    ]);

    expect([
      await failureOf(files.readFile(at('a'), access)),
      await failureOf(files.readFile(at('sub', 'f'), access)),
      await failureOf(files.readDirectory(at('sub'), access)),
      await failureOf(files.writeFile(at('sub', 'new'), X, access)),
    ]).toEqual(Array(4).fill(DENIED));
    expect(await failureOf(files.writeFile(at('a'), X, access))).toBe(READ_ONLY);
    expect(await files.getMetadata(at('a'), access)).toMatchObject({ isFile: true, sizeBytes: 0 });
    expect(readFileSync(at('a'), 'utf8')).toBe('ws/a');
  });

  it('denies what a pattern names', async () => {
    const { at, workspace, sandbox } = createPlace();
    for (const name of ['secret.env', '.env', 'sub/deep.env', 'env.txt']) writeFileSync(at(name), 'secret');
    symlinkSync('sub/deep.env', at('harmless'));
    const files = await getFiles();
    const access = sandbox([READ_ROOT, WRITE_WORKSPACE, denyPattern(`${workspace}/**/*.env`)]);

    expect([
      await failureOf(files.readFile(at('secret.env'), access)),
      await failureOf(files.readFile(at('.env'), access)),
      await failureOf(files.readFile(at('sub', 'deep.env'), access)),
      await failureOf(files.readFile(at('harmless'), access)),
    ]).toEqual(Array(4).fill(DENIED));
    expect(await failureOf(files.writeFile(at('secret.env'), X, access))).toBe(READ_ONLY);
    expect((await files.readFile(at('env.txt'), access)).toString()).toBe('secret');
  });

  it('denies a file by its other names too', async () => {
    const { at, sandbox } = createPlace();
    linkSync(at('a'), at('sub', 'other'));
    const files = await getFiles();
    const access = sandbox([READ_ROOT, WRITE_WORKSPACE, grant(at('a'), 'deny')]);

    expect(await failureOf(files.readFile(at('sub', 'other'), access))).toBe(DENIED);
    expect(await failureOf(files.copy(at('sub', 'other'), at('new'), { ...access, isRecursive: false }))).toBe(DENIED);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('lets no file be changed that has another name, which may be outside', async () => {
    const { root, at, workspaceWrite } = createPlace();
    linkSync(path.join(root, 'outside', 'o'), at('hard'));
    const files = await getFiles();

    expect(await failureOf(files.writeFile(at('hard'), X, workspaceWrite))).toBe('refused');
    expect(await failureOf(files.open(at('hard'), 'replace', workspaceWrite))).toBe('refused');
    await files.remove(at('hard'), workspaceWrite);
    await files.writeFile(at('hard'), X, workspaceWrite);

    expect(readFileSync(path.join(root, 'outside', 'o'), 'utf8')).toBe('outside/o');
  });

  it('protects a place that is a link, and what that leads to', async () => {
    const { root, at, workspaceWrite } = createPlace();
    mkdirSync(at('real-git'));
    await (await getFiles()).remove(at('.git'));
    symlinkSync('real-git', at('.git'));
    const files = await getFiles();

    expect([
      await failureOf(files.writeFile(at('.git', 'config'), X, workspaceWrite)),
      await failureOf(files.writeFile(at('real-git', 'config'), X, workspaceWrite)),
      await failureOf(files.remove(at('.git'), workspaceWrite)),
      await failureOf(files.copy(at('a'), at('.git'), { ...workspaceWrite, isRecursive: false })),
    ]).toEqual(Array(4).fill(READ_ONLY));
    expect([readlinkSync(at('.git')), readdirSync(at('real-git'))]).toEqual(['real-git', []]);
    expect(existsSync(root)).toBe(true);
  });

  it('gives no rights by a link that lies where anybody may put one', async () => {
    const { root, at, workspace, sandbox } = createPlace();
    symlinkSync('../outside', at('docs'));
    const files = await getFiles();
    for (const access of ['read', 'write'] as const) {
      const docs = sandbox([grant(workspace, 'write'), { where: { kind: 'workspaceRoots', subpath: 'docs' }, access }]);

      expect(await failureOf(files.readFile(at('docs', 'o'), docs))).toBe(NOT_FOUND);
      expect(await failureOf(files.readFile(path.join(root, 'outside', 'o'), docs))).toBe(NOT_FOUND);
      expect(await failureOf(files.writeFile(at('docs', 'o'), X, docs))).toBe(NOT_FOUND);
    }
    expect(readFileSync(path.join(root, 'outside', 'o'), 'utf8')).toBe('outside/o');
  });

  it('takes a root that is a link for the place that it leads to', async () => {
    const { root, at, sandbox } = createPlace();
    symlinkSync('ws', path.join(root, 'linked'));
    const files = await getFiles();
    const access = sandbox([grant(path.join(root, 'linked'), 'write')]);

    await files.writeFile(path.join(root, 'linked', 'a'), X, access);
    await files.writeFile(at('new'), X, access);

    expect([readFileSync(at('a'), 'utf8'), readFileSync(at('new'), 'utf8')]).toEqual(['x', 'x']);
  });

  it('tells nothing of the programs of the machine', async () => {
    const { at, workspaceWrite } = createPlace();
    symlinkSync('/proc/self/environ', at('environ'));
    symlinkSync('/proc/self/root/proc/1/environ', at('through-root'));
    const files = await getFiles();

    expect([
      await failureOf(files.readFile(`/proc/${process.pid}/environ`, workspaceWrite)),
      await failureOf(files.readFile(at('environ'), workspaceWrite)),
      await failureOf(files.readFile(at('through-root'), workspaceWrite)),
      await failureOf(files.readFile('/proc/self/task/self/environ', workspaceWrite)),
    ]).toEqual(Array(4).fill(NOT_FOUND));
  });

  it('is left neither for reading nor for writing while folders become links', async () => {
    const { root, at, workspace, sandbox } = createPlace();
    writeFileSync(path.join(root, 'outside', 'f'), 'secret');
    const files = await getFiles();
    const stop = await startSwapping(at('sub'), path.join(root, 'outside'));
    const hidden = sandbox([grant(workspace, 'write')]);
    const seen = new Set<string>();

    for (let race = 0; race < RACES; race++) {
      const read = files.readFile(at('sub', 'f'), hidden).then(
        (bytes) => bytes.toString(),
        () => 'refused',
      );
      const changes = [
        files.writeFile(at('sub', 'f'), Buffer.from('changed'), hidden),
        files.writeFile(at('sub', `new${String(race)}`), X, hidden),
        files.createDirectory(at('sub', `made${String(race)}`), hidden),
        files.remove(at('sub', 'o'), hidden),
        files.copy(at('a'), at('sub', 'o'), { ...hidden, isRecursive: false }),
      ];
      await Promise.allSettled(changes);
      seen.add(await read);
    }
    await stop();

    expect(seen).not.toContain('secret');
    expect(readdirSync(path.join(root, 'outside')).sort()).toEqual(['f', 'o']);
    expect(readFileSync(path.join(root, 'outside', 'f'), 'utf8')).toBe('secret');
    expect(readFileSync(path.join(root, 'outside', 'o'), 'utf8')).toBe('outside/o');
    // It was no wall that nothing got through.
    expect(readdirSync(at('sub')).length).toBeGreaterThan(1);
  });

  it('removes nothing outside while what it removes is exchanged for links', async () => {
    const { root, at, workspace, sandbox } = createPlace();
    const files = await getFiles();
    const access = sandbox([grant(workspace, 'write')]);
    const victims = path.join(root, 'outside');
    const names = Array.from({ length: 100 }, (_, index) => `f${String(index)}`);
    for (const name of names) writeFileSync(path.join(victims, name), '');

    for (let race = 0; race < RACES / 10; race++) {
      mkdirSync(at('tree', 'sub'), { recursive: true });
      for (const name of names) writeFileSync(at('tree', 'sub', name), '');
      const stop = await startSwapping(at('tree', 'sub'), victims);
      await failureOf(files.remove(at('tree'), access));
      await stop();
      await files.remove(at('tree'));
    }

    expect(readdirSync(victims)).toHaveLength(names.length + 1);
  });

  it('is refused when it cannot be understood', async () => {
    const { at, workspace, sandbox } = createPlace();
    const files = await getFiles();
    const access = sandbox([READ_ROOT, denyPattern(`${workspace}/{a,b}`)]);

    expect(await failureOf(files.readFile(at('a'), access))).toMatch(/^(badRequest|failed)$/);
    await expect(files.readFile(at('a'), access)).rejects.toThrow(/\{/);
  });

  it('confines nothing where it has no restrictions', async () => {
    const { root } = createPlace();
    const files = await getFiles();

    await files.writeFile(path.join(root, 'outside', 'o'), X, { sandbox: { permissions: { kind: 'unrestricted' } } });

    expect(readFileSync(path.join(root, 'outside', 'o'), 'utf8')).toBe('x');
  });
}

/** Exchanges the folder for a link to `target`, and back, as fast as another process can; resolves once it does. */
async function startSwapping(folder: string, target: string): Promise<() => Promise<void>> {
  const swapper = fork(path.join(import.meta.dirname, 'support', 'swapForever.mjs'), [folder, target]);
  const ended = new Promise<void>((resolve) => swapper.once('exit', () => resolve()));
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await new Promise((resolve) => swapper.once('message', resolve));
  return async () => {
    swapper.send('stop');
    await ended;
    if (existsSync(folder)) expect(lstatSync(folder).isSymbolicLink()).toBe(false);
  };
}
