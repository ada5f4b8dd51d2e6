import { describe, expect, it } from 'vitest';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';

/** Far longer than anything here takes: a reply that comes was not due at the deadline. */
const LONG = { yield_time_ms: 60_000 };

describe.runIf(process.platform === 'linux')('a call', () => {
  it('comes back as soon as the program asks for something, and says so', async () => {
    const client = await startClient();

    const { structured, status } = await client.exec('read -p "name? " name; echo "hello $name"', LONG);

    expect(structured).toMatchObject({ output: 'name? ', isRunning: true, waitingFor: 'input' });
    expect(status).toContain('It waits for input.');
    const answer = await client.write(structured.sessionId, 'Ada\n', LONG);
    expect(answer.structured).toMatchObject({ output: 'Ada\nhello Ada\n', exitCode: 0, waitingFor: 'none' });
  });

  it('says that what is asked for will not be shown, and who should type it', async () => {
    const client = await startClient(createManager({ isAttended: true }));

    const { structured, status } = await client.exec('read -s -p "password: " secret', LONG);

    expect(structured.waitingFor).toBe('hidden');
    expect(status).toContain(
      `The user types that into the terminal of session ${structured.sessionId}, as the window tells them`,
    );
    expect(status).not.toContain('to give it input');
    expect((await client.list())[0]).toMatchObject({ waitingFor: 'hidden' });
  });

  it('that only waits is not ended by a question that the client knows of, but by what the user answers', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const { structured } = await client.exec('read -p "name? " name; read -p "age? " age', LONG);

    const early = await client.poll(structured.sessionId, { yield_time_ms: 200 });
    const poll = client.poll(structured.sessionId, LONG);
    await manager.list()[0]!.write(Buffer.from('Ada\n'), 'user');
    const late = await poll;

    expect([early.structured.output, early.structured.waitingFor]).toEqual(['', 'input']);
    expect([late.structured.output, late.structured.typedByUserBytes]).toEqual(['Ada\nage? ', 4]);
  });

  it('has the screen of a full-screen program', async () => {
    const client = await startClient();

    const { structured, status } = await client.exec('LESS= less /etc/passwd', { rows: 5, cols: 60, ...LONG });

    expect(structured).toMatchObject({ isScreen: true, waitingFor: 'screen' });
    expect(structured.output.split('\n')).toHaveLength(6);
    expect(status).toContain('The output above is the screen of a full-screen program.');
    const end = await client.write(structured.sessionId, 'q', LONG);
    expect(end.structured).toMatchObject({ isScreen: false, exitCode: 0 });
  });

  it('comes back when what it waits for is printed, and says whether it was', async () => {
    const client = await startClient();
    const server = 'sleep 0.2; echo "listening on port 4711"; sleep 0.5; echo more; sleep 30';

    const first = await client.exec(server, { wait_for: 'port \\d+', ...LONG });
    const second = await client.poll(first.structured.sessionId, { wait_for: '^more$', ...LONG });
    const third = await client.poll(first.structured.sessionId, { wait_for: 'never', yield_time_ms: 100 });

    expect([first, second, third].map(({ structured: { output, isMatched } }) => [output, isMatched])).toEqual([
      ['listening on port 4711\n', true],
      ['more\n', true],
      ['', false],
    ]);
  });

  it('does not take the echo of what it typed for what it waits for', async () => {
    const client = await startClient();
    const id = (await client.exec('bash --norc -i', LONG)).structured.sessionId;

    const { structured } = await client.write(id, 'sleep 0.3; echo DO""NE # DONE\n', { wait_for: 'DONE', ...LONG });

    expect(structured.isMatched).toBe(true);
    expect(structured.output).toMatch(/\nDONE\n/);
  });

  it('gives up a pattern that backtracks without end, and keeps the session', async () => {
    const client = await startClient();

    const { structured, status } = await client.exec(`echo ${'a'.repeat(40)}!; sleep 30`, { wait_for: '^(a+)+$', ...LONG });

    expect(structured).toMatchObject({ isRunning: true, isMatched: false });
    expect(status).toContain('it backtracks too much');
  });
});

describe('the input of a command', () => {
  it.each([true, false])('can be given by value, quotes and all, with tty %s', async (tty) => {
    const client = await startClient();
    const stdin = 'import sys\nprint("$x `y` \' \\\\ é", len(sys.stdin.read()))\n';

    const { structured } = await client.exec('python3 -', { stdin, tty, ...LONG });

    expect(structured).toMatchObject({ output: "$x `y` ' \\ é 0\n", exitCode: 0 });
  });
});

describe('resize_session', () => {
  it('gives the terminal another size, and the program hears of it', async () => {
    const client = await startClient();
    const id = await client.execUntil('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done', 'ready');

    const { status } = await client.call('resize_session', { session_id: id, cols: 132, rows: 50 });

    expect(status).toBe(`The terminal of session ${String(id)} has 132 columns and 50 rows now.`);
    expect(await client.pollUntil(id, '50 132')).toContain('50 132');
  });

  it('is refused where there is no terminal, or none any more', async () => {
    const client = await startClient();
    const ended = await client.exec('true');
    const piped = await client.exec('sleep 30', { tty: false, yield_time_ms: 0 });
    const size = { cols: 100, rows: 30 };

    const replies = await Promise.all(
      [ended, piped].map(({ structured }) => client.call('resize_session', { session_id: structured.sessionId, ...size })),
    );

    expect(replies.map(({ isError, status }) => [isError, status.replace(/\d+/, 'N')])).toEqual([
      [true, 'Session N has ended (exit code 0): its terminal is gone.'],
      [true, 'Session N runs without a terminal (tty: false), so it has no size.'],
    ]);
  });
});
