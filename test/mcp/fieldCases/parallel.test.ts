import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { createManager, startSession } from '../../support/startSession';

describe('commands at the same time', () => {
  it('do not disturb each other: a second one ends while the first runs on', async () => {
    const client = await startClient();
    const first = await client.exec('echo A; sleep 30', { yield_time_ms: 0 });

    const second = await client.exec('echo B');
    const list = await client.list();

    expect(second.structured).toMatchObject({ output: 'B\n', exitCode: 0 });
    expect(list.map(({ sessionId, isRunning }) => ({ sessionId, isRunning }))).toEqual([
      { sessionId: first.structured.sessionId, isRunning: true },
      { sessionId: second.structured.sessionId, isRunning: false },
    ]);
  });

  it('each get their own output, in order', async () => {
    const client = await startClient();
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

    const replies = await Promise.all(keys.map((key) => client.exec(`for i in $(seq 300); do echo ${key}:$i; done`)));

    const expected = keys.map((key) => Array.from({ length: 300 }, (_, index) => `${key}:${String(index + 1)}\n`).join(''));
    expect(replies.map(({ structured }) => structured.output)).toEqual(expected);
  });

  it('go on when the user types into another session', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const pending = client.exec('sleep 0.5; echo "done:$line"');
    const shell = await startSession(manager, '', { command: undefined, startedBy: 'user' });

    await shell.write(Buffer.from('\u0003echo other\nexit\n'), 'user');
    const { structured } = await pending;

    expect(structured).toMatchObject({ output: 'done:\n', exitCode: 0, typedByUserBytes: 0 });
  });
});
