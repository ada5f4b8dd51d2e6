import { expect, test } from 'vitest';
import { createManager, startSession } from '../support/startSession';
import { until } from '../support/until';

const EVERYTHING = 1_000_000;
const LONG_MS = 20_000;

test('a wait ends with the program, and then all its output is there', async () => {
  const session = await startSession(createManager(), 'echo one; exit 3');
  const reader = session.createReader();

  const result = await session.waitForEnd(LONG_MS);

  expect([result, session.state, reader.read(EVERYTHING).text]).toEqual([
    'ended',
    {
      kind: 'ended',
      reason: 'exited',
      status: { kind: 'code', code: 3 },
      isOutputHeld: false,
      endedAt: expect.any(Number) as number,
    },
    'one\n',
  ]);
});

test('a deadline ends the wait and never the program', async () => {
  const session = await startSession(createManager(), 'read line; echo "got $line"');

  expect(await session.waitForEnd(50)).toBe('deadline');
  expect(session.state).toEqual({ kind: 'running' });
  await session.write(Buffer.from('x\n'), 'agent');
  expect(await session.waitForEnd(LONG_MS)).toBe('ended');
});

test('an aborted wait rejects with its reason at once and leaves the session alone', async () => {
  const session = await startSession(createManager(), 'sleep 30');
  const abort = new AbortController();

  const wait = session.waitForEnd(LONG_MS, abort.signal);
  abort.abort(new Error('cancelled'));

  await expect(wait).rejects.toThrow('cancelled');
  await expect(session.waitForEnd(LONG_MS, abort.signal)).rejects.toThrow('cancelled');
  expect(session.state).toEqual({ kind: 'running' });
});

test.each([
  ['kill -TERM $$', 'signal', { kind: 'signal', signal: 'SIGTERM' }],
  ['exit 143', 'exited', { kind: 'code', code: 143 }],
])('a program that does "%s" ended by %s', async (command, reason, status) => {
  const session = await startSession(createManager(), command);
  await session.waitForEnd(LONG_MS);

  expect(session.state).toMatchObject({ reason, status });
});

test('a session that the agent ends says so, and how', async () => {
  const session = await startSession(createManager(), 'sleep 99');

  await session.terminate('agent');

  expect(session.state).toMatchObject({ reason: 'terminatedByAgent', status: { kind: 'signal', signal: 'SIGTERM' } });
});

test('closing the tab ends a wait at once, even when the program takes its time', async () => {
  const session = await startSession(createManager(), "trap '' TERM HUP; echo ready; while :; do sleep 0.1; done");
  const reader = session.createReader();
  await until('it is ready', () => reader.read(EVERYTHING).text.includes('ready'));
  const wait = session.waitForEnd(LONG_MS);

  const termination = session.terminate('tabClosed');

  expect(await Promise.race([wait, termination.then(() => 'program gone')])).toBe('ended');
  expect(session.state).toMatchObject({ reason: 'tabClosed', status: undefined });
  await termination;
  expect(session.state).toMatchObject({ reason: 'tabClosed', status: { kind: 'signal', signal: 'SIGKILL' } });
});

test('ending an interactive shell ends its jobs too', async () => {
  const manager = createManager();
  const start = await manager.start({ command: undefined, terminal: { cols: 80, rows: 24 }, startedBy: 'user' });
  if (start.kind === 'failed') throw new Error(start.failure.message);
  const { session } = start;
  const reader = session.createReader();
  await session.write(Buffer.from('sleep 302 & echo job $!\n'), 'user');
  let shown = '';
  const job = await until('the job runs', () => {
    shown += reader.read(EVERYTHING).text;
    return /job (\d+)\n/.exec(shown)?.[1];
  });

  await session.terminate('user');

  expect(() => process.kill(Number(job), 0)).toThrow('ESRCH');
  expect(session.state).toMatchObject({ kind: 'ended', reason: 'terminatedByUser' });
});

test('raw output is kept for a terminal that is attached later, from the start of a line on', async () => {
  const session = await startSession(createManager(), "printf '\\033[31mred\\033[0m\\n'; seq 1 400000");
  await session.waitForEnd(LONG_MS);

  const replay = session.replay().toString();

  expect(replay).toMatch(/^\d+\r\n[^]*\r\n400000\r\n$/);
  expect(replay.length).toBeGreaterThan(1_000_000);
  expect(replay.length).toBeLessThan(1_200_000);
});

test('a terminal attached early gets everything from the first byte', async () => {
  const session = await startSession(createManager(), "printf '\\033[31mred\\033[0m'");
  await session.waitForEnd(LONG_MS);

  expect(session.replay().toString()).toBe('\x1b[31mred\x1b[0m');
});

test('what the user types is counted, what the agent writes is not', async () => {
  const session = await startSession(createManager(), 'cat');

  await session.write(Buffer.from('ä\n'), 'user');
  await session.write(Buffer.from('agent\n'), 'agent');

  expect(session.typedByUser.mark.bytes).toBe(3);
});
