/** Files of another machine, here of one that a program leads to, in the editors and the Explorer of a window. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExecServer } from '../../src/execServer/server/execServer';
import { LocalBackend } from '../../src/process/localBackend';
import { listenOnLoopback } from '../execServer/support/serverFixture';
import { cliPath } from '../support/builtCli';
import { nullLog } from '../support/nullLog';
import { setSetting } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { EnvironmentList } from './support/environmentList';

const TIMEOUT_MS = 30_000;

let host: EditorHost;
let folder: string;
let environments: readonly object[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'exec-sessions-there-'));
  const there = { program: process.execPath, args: [cliPath, 'exec-server', '--listen', 'stdio'], cwd: folder };
  host = await startEditorHost();
  environments = [
    { ...there, id: 'box', label: 'the build box' },
    { ...there, id: 'Archive', filesReadOnly: true },
    { id: 'gone', url: 'ws://127.0.0.1:1' },
  ];
  await setSetting(host, 'environments', environments);
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
  const withoutFiles = new ExecServer({ backend: new LocalBackend(), log: nullLog });
  await setSetting(host, 'environments', [...environments, { id: 'bare', url: await listenOnLoopback(withoutFiles) }]);

  expect(await failureOf('readFile', 'box', `${folder}/none`)).toMatch(/^FileNotFound: .*none/);
  expect(await failureOf('readFile', 'box', `${folder}/sub`)).toMatch(/^FileIsADirectory: .*sub/);
  expect(await failureOf('writeFile', 'box', `${folder}/sub`)).toMatch(/^FileIsADirectory: .*sub/);
  expect(await failureOf('readDirectory', 'box', `${folder}/sub/file`)).toMatch(/^FileNotADirectory: .*file/);
  expect(await failureOf('delete', 'box', `${folder}/sub`)).toMatch(/not empty/);
  expect(await failureOf('stat', 'gone', '/')).toMatch(
    /^Unavailable: The environment gone .*cannot be reached: .*ECONNREFUSED/,
  );
  expect(await failureOf('stat', 'bare', '/')).toMatch(/^Unavailable: The environment bare .*has no such access to files: /);
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
  await page.keyboard.type('src/');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-title').getByText(`${folder}/project/src`).waitFor();
  await host.window.pick('..');
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

it('are opened by a click where a session names them, at the line and column that it says', async () => {
  writeFileSync(path.join(folder, 'project', 'src', 'main.txt'), 'one\ntwo\nthree\n');

  await host.window.typeInTerminal('clear; echo "src/main.txt:2:3: here; src/none.txt:1"\n');
  await host.window.waitForTerminalText(/^src\/main\.txt:2:3/m);
  await clickInTerminal('src/main.txt:2:3: here');

  await expect
    .poll(activeEditor, { timeout: TIMEOUT_MS })
    .toEqual({ address: `exec-env://box${folder}/project/src/main.txt`, line: 1, character: 2 });
  await host.window.screenshot('environment-link');
});

it('of this machine are as well, in whatever folder a session runs', async () => {
  const home = await host.evaluate(({ require }) => (require('node:os') as typeof import('node:os')).homedir());
  mkdirSync(path.join(home, 'below'));
  writeFileSync(path.join(home, 'below', 'near.txt'), 'one\ntwo\n');

  await host.window.runCommand('Exec Sessions: New Shared Shell');
  await host.window.pick('local');
  const activeTerminal = () => host.evaluate(({ vscode }) => vscode.window.activeTerminal?.name);
  await expect.poll(activeTerminal, { timeout: TIMEOUT_MS }).toBe('Shared bash');
  await host.window.waitForTerminalText(/[$#]$/m);
  await host.window.typeInTerminal('clear; echo "below/near.txt(2,1)"\n');
  await host.window.waitForTerminalText(/^below\/near\.txt/m);
  await clickInTerminal('below/near.txt(2,1)');

  await expect
    .poll(activeEditor, { timeout: TIMEOUT_MS })
    .toEqual({ address: `file://${home}/below/near.txt`, line: 1, character: 0 });
});

/** Clicks on the beginning of a line, as one does on a link. */
async function clickInTerminal(line: string): Promise<void> {
  const row = host.window.page.locator('.terminal-wrapper.active .xterm-rows > div').filter({ hasText: line }).last();
  const position = { x: 12, y: 6 };
  // What is there is asked once the mouse rests on it.
  await row.hover({ position, force: true });
  await row.locator('[style*="underline"]').waitFor();
  await row.click({ position, force: true, modifiers: ['Control'] });
}

function activeEditor(): Promise<unknown> {
  return host.evaluate(({ vscode }) => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return undefined;
    const { line, character } = editor.selection.active;
    return { address: editor.document.uri.toString(), line, character };
  });
}

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
