/** The built command line with environments: each behind the built exec-server, as the program that leads to it would be. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { readSettings } from '../../src/environment/settingConfiguration';
import { listProcesses } from '../../src/process/processMembers';
import { cliPath } from '../support/builtCli';
import { createEnvironments } from '../support/environments';
import { connectClient, startClient, type ToolClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const BOX = `
[[environments]]
id = "box"
program = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(cliPath)}, "exec-server", "--listen", "stdio"]
cwd = "/usr"
env = { THERE = "of the executor" }
`;

interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

async function startServer({ args = [], env = {} }: StartOptions): Promise<{ client: ToolClient; pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tempDir(), LANG: 'C.UTF-8', ...env },
    stderr: 'pipe',
  });
  return { client: await connectClient(transport), pid: transport.pid! };
}

function writeFile(text: string): string {
  const file = path.join(tempDir(), 'environments.toml');
  writeFileSync(file, text);
  return file;
}

it('runs a command where the file says, and starts its program again when that was lost', async () => {
  const { client, pid } = await startServer({ args: ['--environments', writeFile(BOX)] });

  const first = await client.exec('echo "$THERE"; pwd', { environment_id: 'box' });
  const here = await client.exec('echo "$THERE"; pwd');
  const running = client.exec('echo begun; sleep 300', { environment_id: 'box', yield_time_ms: 300_000 });
  await until('it runs', async () => (await client.list()).some(({ isRunning }) => isRunning));
  const program = (await listProcesses()).find(({ parentPid, name }) => parentPid === pid && name.startsWith('node'));
  process.kill(program!.pid, 'SIGKILL');
  const lost = await running;
  const again = await client.exec('echo "$THERE"', { environment_id: 'box' });

  expect(first.structured).toMatchObject({ environmentId: 'box', output: 'of the executor\n/usr\n', exitCode: 0 });
  expect(here.structured.output).toBe(`\n${process.cwd()}\n`);
  expect(lost.structured).toMatchObject({ endReason: 'hostLost', environmentId: 'box' });
  expect(again.structured).toMatchObject({ output: 'of the executor\n', exitCode: 0 });
});

it("finds Codex's file", async () => {
  const CODEX_HOME = path.dirname(writeFile(`default = "box"\n${BOX}`));
  const { client } = await startServer({ env: { CODEX_HOME }, args: ['--attach', 'never'] });

  expect((await client.exec('pwd')).structured).toMatchObject({ environmentId: 'box', output: '/usr\n' });
});

it('speaks with a server behind a shell command', async () => {
  const command = `cd /usr && THERE=elsewhere exec '${process.execPath}' '${cliPath}' exec-server --listen stdio`;
  const configuration = readSettings({ environments: [{ id: 'box', command }], defaultId: 'box' }, {});
  const client = await startClient(createManager({ environments: createEnvironments(configuration) }));

  const { structured } = await client.exec('echo "$THERE"; pwd');

  expect(structured).toMatchObject({ environmentId: 'box', output: 'elsewhere\n/usr\n', exitCode: 0 });
});

it('offers no tools where there is to be no environment, and refuses calls', async () => {
  const { client } = await startServer({ env: { CODEX_EXEC_SERVER_URL: 'none' } });

  expect((await client.client.listTools()).tools).toEqual([]);
  expect(await client.exec('touch /tmp/never')).toMatchObject({
    isError: true,
    status: 'There is no environment to run anything in, by CODEX_EXEC_SERVER_URL.',
  });
});

it.each([
  [
    'a file with a fault',
    () => ['--environments', writeFile('[[environments]]\nid = "a"')],
    /"a" has to say one way to its server/,
  ],
  [
    'a file that is not there',
    () => ['--environments', '/nowhere/environments.toml'],
    /\/nowhere\/environments\.toml cannot be read/,
  ],
  [
    'a file and a window',
    () => ['--attach', 'require', '--environments', writeFile(BOX)],
    /a window has environments of its own, and does not go by --environments/,
  ],
])('does not start with %s', (_, args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [cliPath, 'mcp', ...args()], { input: '', encoding: 'utf8' });

  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});
