import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

/** Far above what a shell needs to start, far below the time that the calls would wait. */
const SOON_MS = 5_000;

describe('the end of a command', () => {
  it.skipIf(!existsSync('/usr/bin/zsh') && !existsSync('/bin/zsh'))(
    'is the end of its process, however the prompt of the shell looks',
    async () => {
      const home = tempDir();
      const prompt = "PROMPT=$'one line\\nanother '\n";
      for (const name of ['.zshrc', '.zprofile', '.zshenv']) writeFileSync(path.join(home, name), prompt);
      const client = await startClient(createManager({ hostEnv: { PATH: process.env['PATH'], HOME: home } }));

      const { structured } = await client.call('exec_command', { cmd: 'true', shell: 'zsh' });

      expect(structured).toMatchObject({ output: '', exitCode: 0, shell: 'zsh' });
      expect(structured.wallTimeMs).toBeLessThan(SOON_MS);
    },
  );

  it('comes for each of 50 fresh commands without a key pressed', async () => {
    const client = await startClient();

    const replies = [];
    for (let run = 0; run < 50; run++) replies.push((await client.exec('echo one')).structured);

    expect(replies.map(({ output, exitCode }) => `${output}${String(exitCode)}`)).toEqual(Array(50).fill('one\n0'));
  });

  it('is not taken from a pause in the output', async () => {
    const client = await startClient();

    const first = await client.exec('echo a; sleep 2.5; echo b', { yield_time_ms: 1_500 });
    const second = await client.poll(first.structured.sessionId, { yield_time_ms: 60_000 });

    expect(
      [first, second].map(({ structured: { output, isRunning, exitCode } }) => ({ output, isRunning, exitCode })),
    ).toEqual([
      { output: 'a\n', isRunning: true, exitCode: undefined },
      { output: 'b\n', isRunning: false, exitCode: 0 },
    ]);
  });

  it('is kept with all output when nobody asked in time, and is given once', async () => {
    const client = await startClient();
    const { structured } = await client.exec('sleep 0.5; echo late', { yield_time_ms: 50 });
    const id = structured.sessionId;
    const ended = await until('it has ended', async () => (await client.list()).find(({ isRunning }) => !isRunning));

    const polls = [await client.poll(id), await client.poll(id)];

    expect(ended).toMatchObject({ sessionId: id, exitCode: 0, hasUnread: true });
    expect(polls.map(({ structured: { output } }) => output)).toEqual(['late\n', '']);
  });

  it('by a signal, by the exit code that looks like one, and by our own doing are three different answers', async () => {
    const client = await startClient();
    const sleeping = await client.exec('sleep 99', { yield_time_ms: 0 });

    const replies = [
      await client.exec("sh -c 'kill -TERM $$'; exit $?"),
      await client.exec('kill -TERM $$'),
      await client.exec("sh -c 'exit 143'"),
      await client.terminate(sleeping.structured.sessionId),
    ];

    expect(
      replies.map(({ structured: { exitCode, signal, endReason } }) => JSON.stringify({ exitCode, signal, endReason })),
    ).toEqual([
      '{"exitCode":143,"endReason":"exited"}',
      '{"signal":"SIGTERM","endReason":"signal"}',
      '{"exitCode":143,"endReason":"exited"}',
      '{"signal":"SIGTERM","endReason":"terminatedByAgent"}',
    ]);
    expect(replies.filter(({ status }) => status.includes('exit code 0'))).toEqual([]);
  });

  it.each([
    ['(exit 42)', { exitCode: 42 }],
    ['exit 0', { exitCode: 0 }],
    ['exit 300', { exitCode: 44 }],
    ['kill -9 $$', { signal: 'SIGKILL' }],
  ])('has the exit code or the signal as it was: %s', async (cmd, expected) => {
    const client = await startClient();

    const replies = [await client.exec(cmd), await client.exec(cmd, { tty: false })];

    expect(replies.map(({ structured: { exitCode, signal } }) => ({ exitCode, signal }))).toEqual([expected, expected]);
  });

  it('is awaited in pieces without a gap or a repeat', async () => {
    const client = await startClient();
    const { structured } = await client.exec('for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done', {
      yield_time_ms: 0,
    });
    let { output, isRunning } = structured;
    let polls = 0;

    for (; isRunning; polls++) {
      const reply = await client.poll(structured.sessionId, { yield_time_ms: 130 });
      output += reply.structured.output;
      isRunning = reply.structured.isRunning;
    }

    expect(output).toBe('1\n2\n3\n4\n5\n6\n');
    expect(polls).toBeGreaterThan(3);
  });
});
