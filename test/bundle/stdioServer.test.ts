/** The built command line, run as a client would run it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliPath } from '../support/builtCli';
import { findSessionMembers } from '../support/sessionMembers';
import { MAX_MESSAGE_BYTES } from '../../src/mcp/limits';
import type { ListedSession } from '../../src/mcp/tools/listSessions';
import { connectClient, type ToolClient } from '../support/startClient';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

/** A home of its own, so that no profile of the developer takes part. */
function environment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tempDir(), LANG: 'C.UTF-8' };
}

async function startServer(...args: string[]): Promise<{ client: ToolClient; pid: number; stderr: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, 'mcp', '--attach', 'never', ...args],
    env: environment(),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const client = await connectClient(transport);
  return { client, pid: transport.pid!, stderr: () => stderr };
}

interface Answer {
  readonly id: unknown;
  readonly result?: { structuredContent: { sessions: ListedSession[]; endReason?: string } };
  readonly error?: { code: number };
}

/** The same without a client: what goes over the pipes is the test's own business. */
class RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<number | NodeJS.Signals | null>;
  stdout = '';
  stderr = '';

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [cliPath, 'mcp', '--attach', 'never', ...args], { env: environment() });
    this.child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.exit = new Promise((resolve) => this.child.on('close', (code, signal) => resolve(code ?? signal)));
    // A test that closes the pipes early does not care about what it still wrote.
    this.child.stdin.on('error', () => undefined);
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  send(...messages: (object | string)[]): void {
    for (const message of messages) {
      this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
  }

  get messages(): Answer[] {
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Answer);
  }

  /** Starts a command and returns its process id. */
  async start(cmd: string, rest: Record<string, unknown> = {}): Promise<number> {
    const call = (id: number, name: string, args: object): object => ({
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    this.send(initialize, call(1, 'exec_command', { cmd, login: false, yield_time_ms: 300_000, ...rest }));
    return until('the command runs', () => {
      this.send(call(2, 'list_sessions', {}));
      return this.messages.findLast(({ id }) => id === 2)?.result?.structuredContent.sessions[0]?.pid;
    });
  }
}

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('exec-sessions mcp', () => {
  it('serves the tools to a client of the SDK, and says nothing on the error output', async () => {
    const { client, stderr } = await startServer();

    const reply = await client.exec('echo hello; exit 3');

    expect(reply.structured).toMatchObject({ output: 'hello\n', exitCode: 3 });
    expect(stderr()).toBe('');
  });

  it('writes nothing but protocol messages to its output, and logs to the error output', async () => {
    const server = new RawServer('--log-level', 'trace');
    server.send(
      initialize,
      { method: 'notifications/initialized' },
      { id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/call', params: { name: 'exec_command', arguments: { cmd: 'echo hi', login: false } } },
      { id: 3, method: 'no/such/method' },
    );
    const answers = (): RawServer['messages'] => server.messages.filter(({ id }) => id !== undefined);
    await until('all are answered', () => answers().length === 4);
    server.child.stdin.end();

    expect(await server.exit).toBe(0);
    expect(
      answers()
        .map(({ id, error }) => [id, error?.code])
        .sort(),
    ).toEqual([
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [3, -32601],
    ]);
    expect(server.stderr).toMatch(/ debug session \d+ started/);
  });

  it('answers a line that is no message with an error, and goes on', async () => {
    const server = new RawServer();
    server.send(initialize, '{"jsonrpc": ', '', '[]', '"text"', { id: 1, method: 'ping' });
    await until('the ping is answered', () => server.messages.some(({ id }) => id === 1));
    server.child.stdin.end();

    expect(await server.exit).toBe(0);
    expect(server.messages.map(({ id, error }) => [id, error?.code])).toEqual(
      expect.arrayContaining([
        [null, -32700],
        [null, -32600],
        [1, undefined],
      ]),
    );
  });

  it.each([
    ['the end of its input', (server: RawServer) => server.child.stdin.end(), 0],
    ['SIGTERM', (server: RawServer) => server.child.kill('SIGTERM'), 143],
    ['SIGINT', (server: RawServer) => server.child.kill('SIGINT'), 130],
    ['SIGHUP', (server: RawServer) => server.child.kill('SIGHUP'), 129],
  ])('ends with %s, ends all that it started, and tells the call that waits', async (_what, end, exitCode) => {
    const server = new RawServer();
    const pid = await server.start('sleep 300 & sleep 300');

    end(server);

    expect(await server.exit).toBe(exitCode);
    expect(await findSessionMembers(pid)).toEqual([]);
    expect(server.messages.find(({ id }) => id === 1)?.result?.structuredContent.endReason).toBe('shutdown');
  });

  it('ends stubborn programs on pipes as well', async () => {
    const server = new RawServer();
    const pid = await server.start("trap '' TERM HUP INT; while :; do sleep 1; done", { tty: false });

    server.child.stdin.end();

    expect(await server.exit).toBe(0);
    expect(await findSessionMembers(pid)).toEqual([]);
  });

  it('is not hurried by a second signal', async () => {
    const server = new RawServer('--log-level', 'info');
    const pid = await server.start("trap '' TERM HUP INT; while :; do sleep 1; done");

    server.child.kill('SIGTERM');
    await until('the first has arrived', () => server.stderr.includes('ending: SIGTERM'));
    server.child.kill('SIGINT');

    expect(await server.exit).toBe(143);
    expect(await findSessionMembers(pid)).toEqual([]);
  });

  it('ends when nobody reads its output any more', async () => {
    const server = new RawServer();
    const pid = await server.start('sleep 300');

    server.child.stdout.destroy();
    server.send({ id: 3, method: 'tools/list' });

    expect(await server.exit).toBe(0);
    expect(await findSessionMembers(pid)).toEqual([]);
  });

  it('ends with a message that is too large to be taken, and says why', async () => {
    const server = new RawServer();
    server.send(initialize, 'x'.repeat(MAX_MESSAGE_BYTES + 1));

    expect(await server.exit).toBe(1);
    expect(server.stderr).toContain(`exceeded maximum size of ${String(MAX_MESSAGE_BYTES)} bytes`);
  });

  it('runs commands in the folder and with the shell that its options name', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'inner'));
    const { client } = await startServer('--cwd', path.join(folder, 'inner'), '--shell', '/bin/sh');

    const { structured } = await client.exec('echo "$0 $PWD"');

    expect(structured.output).toBe(`/bin/sh ${path.join(folder, 'inner')}\n`);
  });

  it('runs several commands at the same time', async () => {
    const { client } = await startServer();

    const startMs = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.exec(`sleep 1; echo ${String(index)}`)),
    );

    expect(replies.map(({ structured }) => structured.output)).toEqual(
      Array.from({ length: 8 }, (_, index) => `${String(index)}\n`),
    );
    expect(performance.now() - startMs).toBeLessThan(6_000);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('keeps no descriptor and no process of 30 commands that have ended', async () => {
    const { client, pid } = await startServer();
    await client.exec('true');
    await client.exec('true', { tty: false });
    const descriptors = (): number => readdirSync(`/proc/${String(pid)}/fd`).length;
    const before = descriptors();
    const pids: number[] = [];

    for (let run = 0; run < 30; run++) await client.exec('true', { tty: run % 2 === 0 });
    for (const session of await client.list()) pids.push(session.pid);
    const members = await Promise.all(pids.map((one) => findSessionMembers(one)));

    expect({ count: pids.length, members: members.flat() }).toEqual({ count: 32, members: [] });
    await until('all descriptors are closed', () => descriptors() <= before);
  });
});
