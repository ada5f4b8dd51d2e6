import { describe, expect, it } from 'vitest';
import { findSessionMembers } from '../support/sessionMembers';
import { TERMINATE_GRACE_MS } from '../../src/session/session';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { until } from '../support/until';

describe('terminate_session', () => {
  it('ends the program and replies with its last output and why it ended', async () => {
    const client = await startClient();
    const { structured } = await client.exec(
      'echo first; trap "echo last; exit 0" TERM; while :; do read -r -t 0.1 _; done',
      {
        yield_time_ms: 300,
      },
    );

    const reply = await client.terminate(structured.sessionId);

    expect(reply).toMatchObject({
      isError: false,
      blocks: ['last\n', expect.stringMatching(/was ended by terminate_session after [\d.]+ s: exit code 0\.$/)],
      structured: { output: 'last\n', exitCode: 0, endReason: 'terminatedByAgent' },
    });
  });

  it('says when it took a kill, and after how long', async () => {
    const client = await startClient();
    const id = await client.execUntil('trap "" TERM HUP; echo ready; while :; do read -r -t 0.1 _; done', 'ready');

    const reply = await client.terminate(id);

    expect(reply.structured).toMatchObject({ signal: 'SIGKILL', endReason: 'terminatedByAgent' });
    expect(reply.status).toContain(
      `signal SIGKILL (killed, because it had not ended ${String(TERMINATE_GRACE_MS)} ms after it was asked to)`,
    );
  });

  it('ends the background processes that an ended session left behind', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const { structured } = await client.exec('sleep 60 & echo started', { tty: false });
    const { pid } = manager.list()[0]!;
    await until('the child has become what it is to be', async () => {
      return (await findSessionMembers(pid)).map(({ name }) => name).join() === 'sleep';
    });

    const reply = await client.terminate(structured.sessionId);

    expect(await findSessionMembers(pid)).toEqual([]);
    expect(reply).toMatchObject({
      isError: false,
      status: expect.stringContaining(
        'It had ended before this call; whatever it left running in the background is ended now.',
      ),
      structured: { exitCode: 0, endReason: 'exited' },
    });
  });

  it('returns the call that waits for the same session', async () => {
    const manager = createManager();
    const [waiting, other] = [await startClient(manager), await startClient(manager)];
    const pending = waiting.exec('sleep 60', { yield_time_ms: 60_000 });
    const [session] = await until('it runs', () => manager.list().length > 0 && manager.list());

    await other.terminate(session!.info.id);

    expect((await pending).structured).toMatchObject({ signal: 'SIGTERM', endReason: 'terminatedByAgent' });
  });

  it('can be called again', async () => {
    const client = await startClient();
    const { structured } = await client.exec('sleep 60', { yield_time_ms: 0 });

    const replies = [await client.terminate(structured.sessionId), await client.terminate(structured.sessionId)];

    expect(replies.map(({ structured: { signal, endReason } }) => ({ signal, endReason }))).toEqual([
      { signal: 'SIGTERM', endReason: 'terminatedByAgent' },
      { signal: 'SIGTERM', endReason: 'terminatedByAgent' },
    ]);
  });
});

describe('an end that somebody else asked for', () => {
  it.each([
    ['user', 'terminatedByUser', /was ended by the user after [\d.]+ s: signal SIGTERM/],
    ['tabClosed', 'tabClosed', /was closed by the user, who closed its terminal tab, after/],
  ] as const)('(%s) returns the waiting call at once and is told apart', async (requester, endReason, status) => {
    const manager = createManager();
    const client = await startClient(manager);
    const pending = client.exec('echo out; sleep 60', { yield_time_ms: 60_000 });
    const [session] = await until('it runs', () => manager.list().length > 0 && manager.list());
    await until('it has printed', () => session!.lastLine() === 'out');

    await session!.terminate(requester);

    expect(await pending).toMatchObject({
      blocks: ['out\n', expect.stringMatching(status)],
      structured: { isRunning: false, endReason },
    });
  });
});
