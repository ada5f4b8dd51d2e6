import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

describe('write_stdin', () => {
  it('sends the characters to the program and replies with what it answers', async () => {
    const client = await startClient();
    const id = await client.execUntil('echo ready; read -r line; echo "got $line"; exit 7', 'ready');

    const reply = await client.write(id, 'hello\n', { yield_time_ms: 10_000 });

    expect(reply.structured).toMatchObject({ output: 'hello\ngot hello\n', exitCode: 7 });
  });

  it('sends exactly the bytes that it was given: nothing trimmed, no end of line added', async () => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const id = await client.execUntil('stty raw -echo; echo ready; head -c 10 > typed', 'ready');
    const chars = '  a\n\tb\u0003é ';

    const reply = await client.write(id, chars, { yield_time_ms: 10_000 });

    expect(reply.structured).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path.join(cwd, 'typed'), 'utf8')).toBe(chars);
  });

  it('sends control keys: Ctrl-C interrupts, Ctrl-D ends the input', async () => {
    const client = await startClient();
    const sleeping = await client.execUntil('echo ready; exec sleep 60', 'ready');
    const reading = await client.execUntil('echo ready; exec cat', 'ready');

    const replies = [
      await client.write(sleeping, '\u0003', { yield_time_ms: 10_000 }),
      await client.write(reading, '\u0004', { yield_time_ms: 10_000 }),
    ];

    expect(replies.map(({ structured: { signal, exitCode } }) => ({ signal, exitCode }))).toEqual([
      { signal: 'SIGINT', exitCode: undefined },
      { signal: undefined, exitCode: 0 },
    ]);
  });

  it('gives each piece of output once', async () => {
    const client = await startClient();
    const id = await client.execUntil('stty -echo; echo ready; while read -r line; do echo "<$line>"; done', 'ready');
    let outputs = '';

    for (const line of ['a', 'b', 'c']) {
      outputs += (await client.write(id, `${line}\n`, { yield_time_ms: 0 })).structured.output;
      if (!outputs.includes(`<${line}>\n`)) outputs += await client.pollUntil(id, `<${line}>\n`);
    }
    outputs += (await client.poll(id, { yield_time_ms: 0 })).structured.output;

    expect(outputs).toBe('<a>\n<b>\n<c>\n');
  });

  it('with empty characters waits for the end of the program and no longer', async () => {
    const client = await startClient();
    const { structured } = await client.exec('sleep 0.5; echo late', { yield_time_ms: 0 });

    const reply = await client.poll(structured.sessionId, { yield_time_ms: 600_000 });

    expect(reply.structured).toMatchObject({ output: 'late\n', exitCode: 0 });
  });

  it('replies with the final state of a session that has ended, as often as it is asked', async () => {
    const client = await startClient();
    const { structured } = await client.exec('echo all; exit 5');

    const replies = [await client.poll(structured.sessionId), await client.poll(structured.sessionId)];

    expect(
      replies.map(({ isError, structured: { output, exitCode, endReason } }) => ({ isError, output, exitCode, endReason })),
    ).toEqual([
      { isError: false, output: '', exitCode: 5, endReason: 'exited' },
      { isError: false, output: '', exitCode: 5, endReason: 'exited' },
    ]);
  });

  it('refuses to type into a session that has ended, and keeps its unread output for the next poll', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const { structured } = await client.exec('sleep 0.3; echo unread; exit 4', { yield_time_ms: 0 });
    const id = structured.sessionId;
    await until('the session has ended', () => manager.list()[0]?.state.kind === 'ended');

    const refused = await client.write(id, 'x');
    const polled = await client.poll(id);

    expect({ refused: refused.isError, why: refused.status, polled: polled.structured.output }).toEqual({
      refused: true,
      why: `Nothing was sent: session ${String(id)} has ended (exit code 4). What it printed is kept: read it with write_stdin, session_id ${String(id)} and chars "".`,
      polled: 'unread\n',
    });
  });

  it('refuses to type into a session without a terminal, and says what to do', async () => {
    const client = await startClient();
    const { structured } = await client.exec('sleep 60', { tty: false, yield_time_ms: 0 });

    const { isError, status } = await client.write(structured.sessionId, 'x');

    expect({ isError, status }).toEqual({
      isError: true,
      status: expect.stringMatching(/runs without a terminal.*tty: true/),
    });
  });

  it('replies at the deadline although the program does not read, and says that input is pending', async () => {
    const client = await startClient();
    const id = await client.execUntil('stty raw -echo; echo ready; sleep 60', 'ready');

    const reply = await client.write(id, 'x'.repeat(1_000_000), { yield_time_ms: 100 });

    expect(reply.structured).toMatchObject({ isRunning: true, isInputPending: true });
    expect(reply.status).toContain('has not read all of the input yet');
  });

  it('tells that the user typed meanwhile, and how much, once to each client', async () => {
    const manager = createManager();
    const [first, second] = [await startClient(manager), await startClient(manager)];
    const id = await first.execUntil('echo ready; exec cat', 'ready');
    await manager.list()[0]!.write(Buffer.from('é\n'), 'user');

    const replies = [
      await first.poll(id, { yield_time_ms: 0 }),
      await first.poll(id, { yield_time_ms: 0 }),
      await second.poll(id, { yield_time_ms: 0 }),
    ];

    expect(replies.map((reply) => [reply.structured.typedByUserBytes, /The user typed 3 bytes/.test(reply.status)])).toEqual(
      [
        [3, true],
        [0, false],
        [3, true],
      ],
    );
  });

  it('does not count as the user what the agent typed', async () => {
    const client = await startClient();
    const id = await client.execUntil('echo ready; exec cat', 'ready');

    const reply = await client.write(id, 'agent\n');

    expect(reply.structured.typedByUserBytes).toBe(0);
  });

  it('is also known under its older name', async () => {
    const client = await startClient();
    const id = await client.execUntil('stty -echo; echo ready; read -r line; echo "<$line>"', 'ready');

    const reply = await client.call('functions_write_stdin', { session_id: id, chars: 'old\n', yield_time_ms: 10_000 });

    expect(reply.structured).toMatchObject({ output: '<old>\n', exitCode: 0 });
  });

  it('answers an id that never was and one that expired differently, with the ids that there are', async () => {
    const client = await startClient(createManager({ endedRetentionMs: 0 }));
    const expired = await client.exec('true');
    const living = await client.exec('sleep 60', { yield_time_ms: 0 });
    const id = living.structured.sessionId;
    const expiredId = expired.structured.sessionId;
    await until('the ended session is gone', async () => (await client.list()).length === 1);

    const replies = [await client.poll(0), await client.poll(expiredId)];

    expect(replies.map(({ isError, status }) => ({ isError, status }))).toEqual([
      {
        isError: true,
        status: `There is no session 0, and there never was one. These exist: ${String(id)} ("sleep 60", running). Details: list_sessions.`,
      },
      {
        isError: true,
        status: `Session ${String(expiredId)} ended (exit code 0) and is no longer kept: ended sessions stay for 30 minutes. These exist: ${String(id)} ("sleep 60", running). Details: list_sessions.`,
      },
    ]);
  });
});
