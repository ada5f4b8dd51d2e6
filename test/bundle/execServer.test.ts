/** The built exec-server, run as a client or a person would run it. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { cliPath } from '../support/builtCli';
import { findSessionMembers } from '../support/sessionMembers';
import { createClient } from '../execServer/support/serverFixture';
import { describePrograms } from '../process/programs';
import { runProcess, startFailure } from '../support/runProcess';
import { windowEnvironment } from '../support/startWindow';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

class RunningServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<number | NodeJS.Signals | null>;
  stdout = '';
  stderr = '';

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [cliPath, 'exec-server', ...args]);
    this.child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.exit = new Promise((resolve) => this.child.on('close', (code, signal) => resolve(code ?? signal)));
    this.child.stdin.on('error', () => undefined);
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  url(): Promise<string> {
    return until('it prints its address', () => /^ws:\S+$/m.exec(this.stdout)?.[0]);
  }
}

const stdio: [string, ...string[]] = [process.execPath, cliPath, 'exec-server', '--listen', 'stdio'];

describe('over standard input and output', () => {
  describePrograms(() => new RemoteBackend(createClient(programDialer({ argv: stdio }))));
});

describe('the exec-server', () => {
  it.each([
    ['its input ends', (server: RunningServer) => server.child.stdin.end(), 0],
    ['it gets SIGTERM', (server: RunningServer) => server.child.kill('SIGTERM'), 143],
    ['it gets SIGINT', (server: RunningServer) => server.child.kill('SIGINT'), 130],
  ])('ends all that it has started when %s', async (_, end, exitCode) => {
    const server = new RunningServer('--listen', 'stdio');
    const env = { PATH: process.env['PATH'] };
    const argv = ['/bin/bash', '-c', "trap '' TERM HUP INT; sleep 300 & echo $$; wait; sleep 300"];
    for (const message of [
      { id: 1, method: 'initialize', params: { clientName: 'test' } },
      { method: 'initialized' },
      { id: 2, method: 'process/start', params: { processId: 'p', argv, cwd: 'file:///', env, tty: false } },
    ]) {
      server.child.stdin.write(`${JSON.stringify(message)}\r\n\n`);
    }
    const chunk = await until('the program runs', () => /"chunk":"(.+?)"/.exec(server.stdout)?.[1]);
    const pid = Number(Buffer.from(chunk, 'base64').toString('utf8'));
    expect(await findSessionMembers(pid)).not.toEqual([]);

    end(server);

    expect(await server.exit).toBe(exitCode);
    expect(await findSessionMembers(pid)).toEqual([]);
  });

  it('prints the address of its websocket and nothing else, and serves there until a signal comes', async () => {
    const server = new RunningServer();
    const url = await server.url();
    const backend = new RemoteBackend(createClient(webSocketDialer({ url })));
    const ran = await runProcess({ command: 'echo there' }, backend);
    await ran.closed;

    server.child.kill('SIGTERM');

    expect(await server.exit).toBe(143);
    expect([ran.output(), server.stdout, server.stderr]).toEqual(['there\r\n', `${url}\n`, '']);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  });

  it('asks for the token of a file, on any address', async () => {
    const file = path.join(tempDir(), 'token');
    writeFileSync(file, 'a token of a test\n');
    const server = new RunningServer('--listen', 'ws://0.0.0.0:0', '--ws-auth', 'capability-token', '--ws-token-file', file);
    const url = (await server.url()).replace('0.0.0.0', '127.0.0.1');
    const backend = (token?: string): RemoteBackend => new RemoteBackend(createClient(webSocketDialer({ url, token })));

    const ran = await runProcess({ terminal: undefined, command: 'echo in' }, backend('a token of a test'));
    await ran.closed;

    expect([ran.output(), (await startFailure({}, backend())).message]).toEqual([
      'in\n',
      expect.stringContaining('401: missing websocket bearer token'),
    ]);
  });

  it('without a window ends when it is to attach to one, or serves by itself', async () => {
    const env = { ...windowEnvironment(path.join(tempDir(), 'run')), PATH: process.env['PATH'] };
    const argv = (mode: string): [string, ...string[]] => [...stdio, '--attach', mode];
    const ran = await runProcess(
      { command: 'echo there', terminal: undefined },
      new RemoteBackend(createClient(programDialer({ argv: argv('auto'), env }))),
    );
    await ran.closed;

    const [program, ...args] = argv('require');
    const failed = spawnSync(program, args, { env, encoding: 'utf8', input: '' });

    expect([ran.output(), failed.status, failed.stdout, failed.stderr]).toEqual([
      'there\n',
      3,
      '',
      expect.stringMatching(/^exec-sessions: No VS Code window with Exec Sessions has \S+ open\./),
    ]);
  });

  it('attaches to a window for one client on stdio only', async () => {
    const server = new RunningServer('--attach', 'auto');

    expect([await server.exit, server.stderr]).toEqual([2, expect.stringContaining('add --listen stdio')]);
  });

  it('says so when it cannot have the address', async () => {
    const first = new RunningServer();
    const second = new RunningServer('--listen', await first.url());

    expect(await second.exit).toBe(2);
    expect(second.stderr).toMatch(/^exec-sessions: --listen: .*EADDRINUSE/);
  });
});
