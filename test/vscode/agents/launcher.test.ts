import { execFile } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { writeLauncher } from '../../../src/vscode/agents/launcher';
import { tempDir } from '../../support/tempDir';

const run = promisify(execFile);

/** A command line that prints what it gets, in a folder whose name a shell would take apart. */
function commandLineIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'cli.js');
  writeFileSync(
    file,
    `console.log(JSON.stringify([process.argv.slice(2), process.env.EXEC_SESSIONS_RUNTIME_DIR, process.env.ELECTRON_RUN_AS_NODE]));`,
  );
  return file;
}

describe.skipIf(process.platform === 'win32')('the program that agents start', () => {
  it('starts the command line as Node.js, with its arguments as they are', async () => {
    const commandLine = commandLineIn(path.join(tempDir(), `it's "$HOME" & more`));
    const runtimeFolder = "/run/it's";
    const launcher = writeLauncher({ folder: tempDir(), runtime: process.execPath, commandLine, runtimeFolder });

    const { stdout } = await run(launcher, ['mcp', '--cwd', 'a  b', '$X', "'"]);

    expect(JSON.parse(stdout)).toEqual([['mcp', '--cwd', 'a  b', '$X', "'"], runtimeFolder, '1']);
    expect(lstatSync(launcher).mode & 0o777).toBe(0o700);
  });

  it('stays where it is when the extension moves, and starts the new one', async () => {
    const folder = path.join(tempDir(), 'storage');
    const options = { folder, runtime: process.execPath, runtimeFolder: undefined };
    const old = writeLauncher({ ...options, commandLine: commandLineIn(path.join(tempDir(), '1.0')) });
    const launcher = writeLauncher({ ...options, commandLine: commandLineIn(path.join(tempDir(), '2.0')) });

    const { stdout } = await run(launcher, ['new']);

    expect(launcher).toBe(old);
    expect(JSON.parse(stdout)).toEqual([['new'], null, '1']);
    expect(readdirSync(folder)).toEqual([path.basename(launcher)]);
  });

  it('says what to do when the extension or its runtime is gone', async () => {
    const commandLine = commandLineIn(tempDir());
    const launcher = writeLauncher({ folder: tempDir(), runtime: process.execPath, commandLine, runtimeFolder: undefined });
    rmSync(commandLine);

    await expect(run(launcher, ['mcp'])).rejects.toMatchObject({
      code: 127,
      stderr: expect.stringMatching(/^exec-sessions: .* Start VS Code once, with Exec Sessions in it\.\n$/),
    });
  });

  it('is not written again while nothing has changed', () => {
    const options = { folder: tempDir(), runtime: '/node', commandLine: '/cli.js', runtimeFolder: undefined };
    const launcher = writeLauncher(options);
    chmodSync(launcher, 0o500);

    writeLauncher(options);

    expect(lstatSync(launcher).mode & 0o777).toBe(0o500);
  });
});
