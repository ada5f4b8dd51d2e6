/** The built command line, attached to windows that run in this test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WindowRecord } from '../../src/attach/windowRecord';
import { callText, ReachableServers, stdioEntry } from '../mcpServers/support/reachServer';
import { cliPath } from '../support/builtCli';
import { createEnvironments } from '../support/environments';
import { connectClient, type ToolClient } from '../support/startClient';
import { startWindow, windowEnvironment } from '../support/startWindow';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

let runtime: string;
let project: string;
let env: Record<string, string>;

beforeEach(() => {
  runtime = path.join(tempDir(), 'run');
  project = tempDir();
  env = { ...windowEnvironment(runtime), PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tempDir(), LANG: 'C.UTF-8' };
});

interface CommandLine {
  readonly client: ToolClient;
  readonly transport: StdioClientTransport;
  readonly stderr: () => string;
}

/** Starts it in `cwd`, connected to a client of the SDK. */
async function startCommandLine(cwd: string, ...args: string[]): Promise<CommandLine> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, 'mcp', '--log-level', 'info', ...args],
    env,
    cwd,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return { client: await connectClient(transport), transport, stderr: () => stderr };
}

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end, with `input` and then the end of the input. */
async function run(args: readonly string[], { input = '', cwd = project } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [cliPath, 'mcp', ...args], { env, cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}

function recordFiles(): string[] {
  return readdirSync(runtime)
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(runtime, name));
}

function readRecord(): WindowRecord {
  return JSON.parse(readFileSync(recordFiles()[0]!, 'utf8')) as WindowRecord;
}

describe('exec-sessions mcp in a folder that a window has open', () => {
  it('runs commands in the window, where they go on when the client has gone', async () => {
    const { manager } = await startWindow({ env, folders: [project] });
    const { client, transport, stderr } = await startCommandLine(project);

    const { structured } = await client.exec('echo "$PWD"; exec sleep 300', { yield_time_ms: 500 });
    await transport.close();

    expect(structured.output).toBe(`${project}\n`);
    expect(stderr()).toMatch(new RegExp(` info attached to the VS Code window \\(process ${String(process.pid)}\\)\n`));
    const sessions = manager
      .list()
      .map(({ info: { id, startedBy, client: name }, state }) => ({ id, startedBy, name, state }));
    expect(sessions).toEqual([
      { id: structured.sessionId, startedBy: 'cliAgent', name: 'test', state: { kind: 'running' } },
    ]);
  });

  it('starts commands in its own folder, and resolves relative ones from there', async () => {
    const inner = path.join(project, 'packages', 'inner');
    mkdirSync(path.join(inner, 'deep'), { recursive: true });
    await startWindow({ env, folders: [project] });
    const { client } = await startCommandLine(inner);
    const { client: other } = await startCommandLine(project, '--cwd', 'packages');

    const folders = await Promise.all([
      client.exec('pwd'),
      client.exec('pwd', { workdir: 'deep' }),
      other.exec('pwd', { workdir: './inner' }),
    ]);
    const [tool] = (await client.client.listTools()).tools;

    expect(folders.map(({ structured }) => structured.output)).toEqual([`${inner}\n`, `${inner}/deep\n`, `${inner}\n`]);
    expect(JSON.stringify(tool!.inputSchema)).toContain(inner);
  });

  it('takes the shell and the masking that its options name', async () => {
    await startWindow({ env, folders: [project] });
    const secret = `ghp_${'a'.repeat(36)}`;
    const { client: plain } = await startCommandLine(project);
    const { client: optioned } = await startCommandLine(project, '--shell', '/bin/sh', '--redact-secrets');

    const outputs = await Promise.all([plain, optioned].map((client) => client.exec(`echo $0 ${secret}`)));

    expect(outputs.map(({ structured }) => structured.output)).toEqual([
      `/bin/bash ${secret}\n`,
      '/bin/sh [GitHub token masked]\n',
    ]);
  });

  it('shows several clients the same sessions', async () => {
    await startWindow({ env, folders: [project] });
    const [one, other] = await Promise.all([startCommandLine(project), startCommandLine(project)]);

    const { structured } = await one.client.exec('read line; echo "got $line"', { yield_time_ms: 0 });
    const reply = await other.client.write(structured.sessionId, 'hello\r', { yield_time_ms: 5_000 });

    expect(reply.structured).toMatchObject({ output: 'hello\ngot hello\n', exitCode: 0 });
  });

  it('passes on large messages in both directions, whole', async () => {
    await startWindow({ env, folders: [project] });
    const { client } = await startCommandLine(project);
    const text = 'ä€😀 line\n'.repeat(100_000);

    const { structured } = await client.exec('cat', { stdin: text, tty: false, max_output_tokens: 4_000_000 });

    expect(structured.output === text).toBe(true);
  });

  it('ends well at the end of its input, and with a signal as others do', async () => {
    await startWindow({ env, folders: [project] });
    const { transport } = await startCommandLine(project);
    const child = spawn(process.execPath, [cliPath, 'mcp', '--log-level', 'info'], { env, cwd: project });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    await until('it is attached', () => stderr.includes('attached'));
    child.kill('SIGTERM');

    expect(await once(child, 'close')).toEqual([143, null]);
    expect((await run([])).exitCode).toBe(0);
    await transport.close();
  });
});

describe('exec-sessions mcp --server', () => {
  it('leads to an MCP server that the window reaches through an environment', async () => {
    const { servers } = new ReachableServers(createEnvironments({}), { tools: { ...stdioEntry, environment: 'local' } });
    await startWindow({ env, folders: [project], mcpServers: servers });

    const { client } = await startCommandLine(project, '--server', 'tools');

    expect(await callText(client.client, 'echo', { text: 'through the window' })).toBe('through the window');
  });

  it('says which servers there are, and that there is no window', async () => {
    const { servers } = new ReachableServers(createEnvironments({}), { tools: stdioEntry });
    await startWindow({ env, folders: [project], mcpServers: servers });

    const other = await run(['--server', 'others']);
    const elsewhere = await run(['--server', 'tools'], { cwd: tempDir() });

    expect(other.stderr).toContain('it reaches no MCP server "others"; there is tools');
    expect(elsewhere.stderr).toContain('No VS Code window with Exec Sessions has');
    expect([other.exitCode, elsewhere.exitCode]).toEqual([3, 3]);
  });
});

describe('which window', () => {
  it('is the one with the innermost folder around it', async () => {
    const inner = path.join(project, 'inner');
    mkdirSync(path.join(inner, 'deep'), { recursive: true });
    mkdirSync(path.join(project, 'inner-not'));
    const outer = await startWindow({ env, folders: [tempDir(), project] });
    const nested = await startWindow({ env, folders: [inner] });

    await (await startCommandLine(path.join(inner, 'deep'))).client.exec('true', { title: 'nested' });
    await (await startCommandLine(path.join(project, 'inner-not'))).client.exec('true', { title: 'outer' });

    expect(outer.manager.list().map(({ info }) => info.title)).toEqual(['outer']);
    expect(nested.manager.list().map(({ info }) => info.title)).toEqual(['nested']);
  });

  it('is found through links to its folder, on either side', async () => {
    const [inLink, windowLink] = [path.join(tempDir(), 'a'), path.join(tempDir(), 'b')];
    symlinkSync(project, inLink);
    symlinkSync(project, windowLink);
    const { manager } = await startWindow({ env, folders: [windowLink] });

    await (await startCommandLine('/', '--cwd', inLink)).client.exec('true');

    expect(manager.list()).toHaveLength(1);
  });

  it('is the one that was used last of several on one folder', async () => {
    const first = await startWindow({ env, folders: [project] });
    const second = await startWindow({ env, folders: [project] });

    await (await startCommandLine(project)).client.exec('true');
    first.host.update([project]);
    await (await startCommandLine(project)).client.exec('true');

    expect([first, second].map(({ manager }) => manager.list().length)).toEqual([1, 1]);
  });

  it('is found in a folder that was opened later, and no longer in one that was closed', async () => {
    const { host } = await startWindow({ env, folders: [tempDir()] });

    host.update([project]);
    const opened = await run(['--attach', 'require']);
    host.update([]);
    const closed = await run(['--attach', 'require']);

    expect([opened.exitCode, closed.exitCode]).toEqual([0, 3]);
  });

  it('is none in a folder that no window has open: it serves alone, or ends and says so', async () => {
    const elsewhere = tempDir();
    const { manager } = await startWindow({ env, folders: [elsewhere] });
    await startWindow({ env, folders: [] });
    const { client, stderr } = await startCommandLine(project);

    const { structured } = await client.exec('pwd');
    const required = await run(['--attach', 'require']);

    // Other windows of whoever runs the test may be open as well.
    const none = String.raw`No VS Code window with Exec Sessions has ${project} open\. Open are .*${elsewhere}.*\.`;
    expect(structured.output).toBe(`${project}\n`);
    expect(stderr()).toMatch(new RegExp(String.raw` info serving without a window\. ${none}\n`));
    expect(manager.list()).toEqual([]);
    expect(required).toMatchObject({ exitCode: 3, stdout: '' });
    expect(required.stderr).toMatch(new RegExp(`^exec-sessions: ${none}\n$`));
  });

  it('is none where the command line wants none', async () => {
    const { manager } = await startWindow({ env, folders: [project] });
    const { client } = await startCommandLine(project, '--attach', 'never');

    await client.exec('true');

    expect(manager.list()).toEqual([]);
  });

  it('is not one that has ended without a word, whose remains are removed', async () => {
    const { manager } = await startWindow({ env, folders: [project] });
    const ended = spawn('true');
    await once(ended, 'exit');
    const [live] = recordFiles();
    const name = path.join(runtime, `${String(ended.pid)}-0123456789ab`);
    const remains = { ...readRecord(), pid: ended.pid, socket: `${name}.sock` };
    writeFileSync(`${name}.json`, JSON.stringify(remains), { mode: 0o600 });
    writeFileSync(`${name}.sock`, '');

    await (await startCommandLine(project)).client.exec('true');

    expect(manager.list()).toHaveLength(1);
    expect(recordFiles()).toEqual([live]);
    expect(existsSync(`${name}.sock`)).toBe(false);
  });
});

describe('who is let in', () => {
  it('keeps the socket and the token from everybody else', async () => {
    await startWindow({ env, folders: [project] });

    const modes = [runtime, readRecord().socket, ...recordFiles()].map((file) => (lstatSync(file).mode & 0o777).toString(8));

    expect(modes).toEqual(['700', '600', '600']);
    expect(readRecord().token).toMatch(/^[\w-]{32,}$/);
  });

  it.each([
    ['another token', { token: 'x'.repeat(32), cwd: '/', isRedacting: false, protocol: 1 }],
    ['no token', { cwd: '/', isRedacting: false, protocol: 1 }],
    ['the tools’ own protocol', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('refuses who comes with %s, and answers nothing of what follows', async (_what, greeting) => {
    const warnings: string[] = [];
    await startWindow({ env, folders: [project], log: recordingLog(warnings) });
    const socket = connect(readRecord().socket);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('utf8')));
    socket.write(`${JSON.stringify(greeting)}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`);
    await once(socket, 'close');

    expect(JSON.parse(received)).toEqual({ protocol: 1, kind: 'refused', message: 'the token is missing or wrong' });
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).not.toContain(readRecord().token);
  });

  it('says that it was refused, and serves alone or not at all', async () => {
    await startWindow({ env, folders: [project] });
    writeFileSync(recordFiles()[0]!, JSON.stringify({ ...readRecord(), token: 'wrong' }));

    const required = await run(['--attach', 'require']);
    const automatic = await run([]);

    expect([required.exitCode, automatic.exitCode]).toEqual([3, 0]);
    expect(required.stderr).toContain('did not let us in: the token is missing or wrong');
    expect(automatic.stderr).toMatch(/ warn serving without a window\. .* did not let us in/);
  });

  it.each([
    ['a record that others can read', () => chmodSync(recordFiles()[0]!, 0o644)],
    ['a folder that others can enter', () => chmodSync(runtime, 0o755)],
    ['a record that sends it to another socket', () => changeRecord({ socket: path.join(project, 'other.sock') })],
    ['a record of another protocol', () => changeRecord({ protocol: 2 })],
    ['half a record', () => writeFileSync(recordFiles()[0]!, '{"protocol":1,')],
  ])('does not trust %s', async (_what, spoil) => {
    await startWindow({ env, folders: [project] });
    spoil();

    expect((await run(['--attach', 'require'])).exitCode).toBe(3);
  });
});

describe('when the window goes away', () => {
  it('ends with an answer to what is pending, the reason, and an exit code of its own', async () => {
    const { host } = await startWindow({ env, folders: [project] });
    const child = spawn(process.execPath, [cliPath, 'mcp'], { env, cwd: project });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const call = { name: 'exec_command', arguments: { cmd: 'sleep 300', yield_time_ms: 300_000, login: false } };
    for (const [id, method, params] of [
      [0, 'initialize', initialize],
      [1, 'tools/call', call],
      ['two', 'ping', {}],
    ] as const)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await until('the ping is answered', () => stdout.includes('"two"'));

    await host.close();

    const [exitCode] = (await once(child, 'close')) as [number];
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(exitCode).toBe(4);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [0, undefined],
      ['two', undefined],
      [1, -32_000],
    ]);
    expect(stderr).toMatch(/^exec-sessions: the VS Code window has ended the connection; .*\n$/);
    expect(recordFiles()).toEqual([]);
  });

  it('never goes on alone', async () => {
    const { host } = await startWindow({ env, folders: [project] });
    const { client } = await startCommandLine(project);
    await client.exec('true');

    await host.close();

    await expect(client.exec('true')).rejects.toThrow();
  });
});

function changeRecord(change: Partial<WindowRecord>): void {
  writeFileSync(recordFiles()[0]!, JSON.stringify({ ...readRecord(), ...change }));
}

function recordingLog(warnings: string[]) {
  return {
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: (message: string) => void warnings.push(message),
  };
}
