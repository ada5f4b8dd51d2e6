/** Files of another machine, here of one that a program leads to, in the editors and the Explorer of a window. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setSetting } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { EnvironmentList } from './support/environmentList';

const TIMEOUT_MS = 30_000;
const cliPath = path.join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

let host: EditorHost;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'exec-sessions-there-'));
  const box = { program: process.execPath, args: [cliPath, 'exec-server', '--listen', 'stdio'], cwd: folder };
  host = await startEditorHost();
  await setSetting(host, 'environments', [
    { ...box, id: 'box', label: 'the build box' },
    { ...box, id: 'Archive', filesReadOnly: true },
    { id: 'gone', url: 'ws://127.0.0.1:1' },
  ]);
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('are read, written, listed, copied, moved and removed', async () => {
  writeFileSync(path.join(folder, 'one'), 'first');
  symlinkSync('one', path.join(folder, 'link'));

  const seen = await host.evaluate(async ({ vscode }, root) => {
    const { fs } = vscode.workspace;
    const at = (name: string) => vscode.Uri.from({ scheme: 'exec-env', authority: 'box', path: `${root}/${name}` });
    const text = async (name: string) => Buffer.from(await fs.readFile(at(name))).toString();
    const list = async () => (await fs.readDirectory(at(''))).sort();
    const before = await list();
    await fs.createDirectory(at('new/inner'));
    await fs.writeFile(at('new/inner/two'), Buffer.from('second'));
    await fs.copy(at('new'), at('copied'));
    await fs.rename(at('copied'), at('moved'));
    const moved = await text('moved/inner/two');
    await fs.rename(at('one'), at('moved/inner/two'), { overwrite: true });
    await fs.delete(at('new'), { recursive: true });
    return { before, after: await list(), moved, replaced: await text('moved/inner/two'), link: await fs.stat(at('moved')) };
  }, folder);

  expect(seen).toMatchObject({
    // A link to a file is 1 + 64 to VS Code, a folder 2; a link that leads nowhere is not told of.
    before: [
      ['link', 65],
      ['one', 1],
    ],
    after: [['moved', 2]],
    moved: 'second',
    replaced: 'first',
  });
});

it('that are larger than one message go both ways whole', async () => {
  const bytes = 60 * 1_024 * 1_024;

  const isEqual = await host.evaluate(
    async ({ vscode, require }, { root, bytes }) => {
      const { createHash, randomBytes } = require('node:crypto') as typeof import('node:crypto');
      const uri = vscode.Uri.from({ scheme: 'exec-env', authority: 'box', path: `${root}/large` });
      const content = randomBytes(bytes);
      await vscode.workspace.fs.writeFile(uri, content);
      const read = await vscode.workspace.fs.readFile(uri);
      const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
      return hash(read) === hash(content);
    },
    { root: folder, bytes },
  );

  expect(isEqual).toBe(true);
  rmSync(path.join(folder, 'large'));
});

it('are opened, edited and saved in an editor', async () => {
  const file = path.join(folder, 'notes.txt');
  writeFileSync(file, 'over there\n');

  await open('box', file);
  await host.window.page.locator('.view-lines').getByText('over there').waitFor();
  await host.window.page.keyboard.press('Control+Home');
  await host.window.page.keyboard.type('edited ');
  await host.window.page.keyboard.press('Control+s');

  await expect.poll(() => readFileSync(file, 'utf8'), { timeout: TIMEOUT_MS }).toBe('edited over there\n');
  await host.window.screenshot('environment-file');
});

it('show what others write into them', async () => {
  const file = path.join(folder, 'notes.txt');

  writeFileSync(file, 'written over there\n');

  await host.window.page.locator('.view-lines').getByText('written over there').waitFor({ timeout: TIMEOUT_MS });
});

it('that are read-only are so in the editor, and refuse to be written', async () => {
  const file = path.join(folder, 'notes.txt');

  await open('archive', file);
  await host.window.page.keyboard.type('x');
  const refusal = await failureOf('writeFile', 'archive', file);

  await host.window.screenshot('environment-file-read-only');
  expect(refusal).toBe(
    'NoPermissions: The files of Archive (node) are read-only here, by filesReadOnly in the setting execSessions.environments.',
  );
  expect(readFileSync(file, 'utf8')).toBe('written over there\n');
});

it('say why they cannot be had', async () => {
  mkdirSync(path.join(folder, 'sub'));
  writeFileSync(path.join(folder, 'sub', 'file'), '');

  expect(await failureOf('readFile', 'box', `${folder}/none`)).toMatch(/^FileNotFound: .*none/);
  expect(await failureOf('readFile', 'box', `${folder}/sub`)).toMatch(/^FileIsADirectory: .*sub/);
  expect(await failureOf('writeFile', 'box', `${folder}/sub`)).toMatch(/^FileIsADirectory: .*sub/);
  expect(await failureOf('readDirectory', 'box', `${folder}/sub/file`)).toMatch(/^FileNotADirectory: .*file/);
  expect(await failureOf('delete', 'box', `${folder}/sub`)).toMatch(/not empty/);
  expect(await failureOf('stat', 'gone', '/')).toMatch(
    /^Unavailable: The environment gone .*cannot be reached: .*ECONNREFUSED/,
  );
  expect(await failureOf('stat', 'other', '/')).toMatch(/^Unavailable: There is no environment "other"/);
});

it('are browsed, and opened as a folder of the window, in which commands run there', async () => {
  mkdirSync(path.join(folder, 'project', 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'project', 'read me'), '');
  const { page } = host.window;

  await host.window.runCommand('Exec Sessions: Open Folder in Environment...');
  await host.window.pick('box');
  await host.window.pick('project');
  await page.locator('.quick-input-title').getByText(`${folder}/project`).waitFor();
  await host.window.screenshot('environment-browse');
  await host.window.pick('Open This Folder');
  await host.extensionHost.expectNew();
  await host.window.pick('Open in This Window');
  await host.extensionHost.pid();

  await page.locator('.explorer-folders-view .label-name').getByText('read me', { exact: true }).waitFor();
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.environments.focus'));
  await new EnvironmentList(page).row('box', /^default · connected/).waitFor();
  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.pick('box');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.typeInTerminal('pwd; touch "made there"\n');
  await host.window.waitForTerminalText(new RegExp(`^${folder}/project$`, 'm'));
  await page.locator('.explorer-folders-view .label-name').getByText('made there', { exact: true }).waitFor();
  await host.window.screenshot('environment-folder');
});

async function open(environment: string, file: string): Promise<void> {
  await host.evaluate(
    ({ vscode }, { authority, path }) =>
      vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme: 'exec-env', authority, path }), {
        preview: false,
      }),
    { authority: environment, path: file },
  );
}

type Operation = 'stat' | 'readFile' | 'readDirectory' | 'writeFile' | 'delete';

/** Code and message of what VS Code is told. */
async function failureOf(operation: Operation, authority: string, file: string): Promise<string> {
  return host.evaluate(
    async ({ vscode }, { operation, authority, path }) => {
      const uri = vscode.Uri.from({ scheme: 'exec-env', authority, path });
      try {
        if (operation === 'writeFile') await vscode.workspace.fs.writeFile(uri, Buffer.from('x'));
        else await vscode.workspace.fs[operation](uri);
        return 'no error';
      } catch (error) {
        return error instanceof vscode.FileSystemError ? `${error.code}: ${error.message}` : String(error);
      }
    },
    { operation, authority, path: file },
  );
}
