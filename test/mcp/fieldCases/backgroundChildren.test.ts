import { describe, expect, it } from 'vitest';
import { findSessionMembers } from '../../support/sessionMembers';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { until } from '../../support/until';

/** Far above what a shell needs, far below what its background children take. */
const SOON_MS = 5_000;

describe('a command that leaves a background child behind', () => {
  it('on pipes ends with its shell; the reply tells of the child, and what it prints later is kept', async () => {
    const client = await startClient();

    const reply = await client.exec("sh -c '(sleep 1; echo later; exec sleep 30) & echo started'", { tty: false });
    const later = await client.pollUntil(reply.structured.sessionId, 'later');

    expect(reply.structured).toMatchObject({ output: 'started\n', exitCode: 0, isOutputHeld: true });
    expect(reply.structured.wallTimeMs).toBeLessThan(SOON_MS);
    expect(reply.status).toContain('Background processes that it started still run and hold its output');
    expect(later).toBe('later\n');
  });

  it('on a terminal ends with its shell; the child gets a hang-up, and the reply tells of it if it is still there', async () => {
    const manager = createManager();
    const client = await startClient(manager);

    const { structured, status } = await client.exec("sh -c 'sleep 30 & echo started'");

    expect(structured).toMatchObject({ output: 'started\n', exitCode: 0 });
    expect(structured.wallTimeMs).toBeLessThan(SOON_MS);
    // The hang-up may have ended the child before anyone can see it: then there is nothing left to tell of.
    expect(status.includes('the system sent them a hang-up (SIGHUP)')).toBe(structured.isOutputHeld);
    const { pid } = manager.list()[0]!;
    await until('the child is gone', async () => (await findSessionMembers(pid)).length === 0);
  });

  it('that ignores the hang-up of the terminal, keeps what the child prints later', async () => {
    const client = await startClient();

    const { structured } = await client.exec(`(trap '' HUP; sleep 1; echo later) & sleep 0.5; echo started`);
    const later = await client.pollUntil(structured.sessionId, 'later');

    expect([structured.output, later]).toEqual(['started\n', 'later\n']);
  });

  it('does not keep the reply back for long output of its own', async () => {
    const client = await startClient();

    const { structured } = await client.exec("trap '' HUP; yes & sleep 0.3; echo END", {
      tty: false,
      max_output_tokens: 50,
    });
    const ended = await client.terminate(structured.sessionId);

    expect({ exitCode: structured.exitCode, isHeld: structured.isOutputHeld, isError: ended.isError }).toEqual({
      exitCode: 0,
      isHeld: true,
      isError: false,
    });
  });
});

describe('ending a session', () => {
  it.each([[true], [false]])('ends everything that it started (tty: %s)', async (tty) => {
    const manager = createManager();
    const client = await startClient(manager);
    const id = await client.execUntil("sh -c 'sleep 301 & echo ready; sleep 301'", 'ready', { tty });
    const { pid } = manager.list()[0]!;
    const before = (await findSessionMembers(pid)).length;

    await client.terminate(id);

    expect({ hadSeveral: before > 1, after: await findSessionMembers(pid) }).toEqual({ hadSeveral: true, after: [] });
  });

  it('ends a stubborn program by force, and says so', async () => {
    const client = await startClient();
    const id = await client.execUntil("trap '' TERM HUP INT; echo ready; while :; do sleep 1; done", 'ready');

    const { structured, status } = await client.terminate(id);

    expect(structured).toMatchObject({ signal: 'SIGKILL', endReason: 'terminatedByAgent' });
    expect(status).toMatch(/killed, because it had not ended \d+ ms after it was asked to/);
  });
});
