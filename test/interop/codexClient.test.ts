/** The real codex as a client of our exec-server: nothing but our server runs its commands. */
import { describe, expect, it } from 'vitest';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { startFaultyProxy } from '../execServer/support/faultyProxy';
import { done, exec, withoutTimes, write } from './support/codexSteps';
import { runCodex } from './support/runCodex';

describe.skipIf(process.platform !== 'linux')('codex', () => {
  it('runs a command on a terminal, and types into it', async () => {
    const url = await listenOnLoopback(createServerUnderTest());

    const { exitCode, toolReplies } = await runCodex(
      [
        exec('echo hello; read x; echo got $x', { tty: true, yield_time_ms: 3_000 }),
        write('abc\n', { yield_time_ms: 5_000 }),
        done,
      ],
      { url },
    );

    expect([exitCode, ...toolReplies.map(withoutTimes)]).toEqual([
      0,
      'Process running with session ID #\nOutput:\nhello\n',
      'Process exited with code 0\nOutput:\nabc\ngot abc\n',
    ]);
  });

  it('gets the whole output of a command over a connection that drops in its midst', async () => {
    const server = await listenOnLoopback(createServerUnderTest());
    const proxy = await startFaultyProxy(server, { dropAfter: { method: 'process/output', count: 3 } });

    const { toolReplies } = await runCodex(
      [exec('for i in 1 2 3 4 5 6 7 8; do echo line$i; sleep 0.3; done; exit 5', { yield_time_ms: 20_000 }), done],
      { url: proxy.url },
    );

    const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `line${String(number)}\n`).join('');
    expect([proxy.connections() > 1, ...toolReplies.map(withoutTimes)]).toEqual([
      true,
      `Process exited with code 5\nOutput:\n${lines}`,
    ]);
  });

  it('puts into order what overtook on the way', async () => {
    const server = await listenOnLoopback(createServerUnderTest());
    const { url } = await startFaultyProxy(server, { swapFirst: 'process/output' });

    const { toolReplies } = await runCodex(
      [exec('for i in 1 2 3 4; do echo line$i; sleep 0.2; done; exit 5', { yield_time_ms: 20_000 }), done],
      { url },
    );

    expect(toolReplies.map(withoutTimes)).toEqual(['Process exited with code 5\nOutput:\nline1\nline2\nline3\nline4\n']);
  });

  it('waits for as long as it wants to, and interrupts', async () => {
    const url = await listenOnLoopback(createServerUnderTest());

    const { toolReplies } = await runCodex(
      [
        exec('sleep 40', { tty: true, yield_time_ms: 600 }),
        write('', { yield_time_ms: 100 }),
        write('z', { yield_time_ms: 1 }),
        write('\u0003', { yield_time_ms: 5_000 }),
        done,
      ],
      { url },
    );

    expect(toolReplies.map(withoutTimes)).toEqual([
      'Process running with session ID #\nOutput:\n',
      'Process running with session ID #\nOutput:\n',
      'Process running with session ID #\nOutput:\nz',
      'Process exited with code 1\nOutput:\n^C',
    ]);
  });

  it('runs as many commands at once as it can count', async () => {
    const url = await listenOnLoopback(createServerUnderTest());
    const commands = Array.from({ length: 67 }, (_, index) =>
      exec(`sleep 300; echo ${String(index)}`, { tty: true, yield_time_ms: 250 }),
    );

    const { exitCode, toolReplies } = await runCodex([...commands, done], { url });

    expect([exitCode, ...new Set(toolReplies.map(withoutTimes))]).toEqual([
      0,
      'Process running with session ID #\nOutput:\n',
    ]);
    expect(toolReplies).toHaveLength(67);
  });

  it('takes the server from its file of environments', async () => {
    const url = await listenOnLoopback(createServerUnderTest());

    const { toolReplies } = await runCodex([exec('echo hi', { yield_time_ms: 5_000 }), done], {
      environments: `default = "dev"\n[[environments]]\nid = "dev"\nurl = "${url}"\n`,
    });

    expect(toolReplies.map(withoutTimes)).toEqual(['Process exited with code 0\nOutput:\nhi\n']);
  });
});
