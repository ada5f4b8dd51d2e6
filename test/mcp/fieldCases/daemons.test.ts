import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listProcesses } from '../../../src/process/processMembers';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

const isLinux = process.platform === 'linux';
const WAYS: [string, string][] = [
  ['in a session of its own', 'setsid sh -c "$DAEMON" > /dev/null 2>&1 < /dev/null &'],
  ['as people are told to', 'setsid nohup sh -c "$DAEMON" > /dev/null 2>&1 &'],
  ['by a fork and another one', '(setsid sh -c "sh -c \\"\\$DAEMON\\" &" > /dev/null 2>&1 < /dev/null &)'],
  ['in another folder', 'cd / && (setsid sh -c "$DAEMON" > /dev/null 2>&1 < /dev/null &)'],
];

interface Daemon {
  readonly env: Record<string, string>;
  /** Its pid, once it is what it is to be. */
  pid(): Promise<number>;
}

function daemon(program = 'exec sleep 300'): Daemon {
  const file = path.join(tempDir(), 'pid');
  return {
    env: { STARTED: file, DAEMON: `echo $$ > ${file}.new; mv ${file}.new ${file}; ${program}` },
    pid: () =>
      until('the daemon runs', () => {
        try {
          return Number(readFileSync(file, 'utf8'));
        } catch {
          return undefined;
        }
      }),
  };
}

async function isAlive(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid);
}

describe.runIf(isLinux)('a daemon that a command has cut off from itself', () => {
  describe.each([true, false])('(tty: %s)', (tty) => {
    it.each(WAYS)('ends with its session, although that had ended before: %s', async (_how, start) => {
      const client = await startClient();
      const { env, pid } = daemon();
      const { structured } = await client.exec(`${start}\nuntil [ -e "$STARTED" ]; do sleep 0.02; done; echo over`, {
        tty,
        env,
      });
      const daemonPid = await pid();
      const before = await isAlive(daemonPid);

      const reply = await client.terminate(structured.sessionId);

      expect([structured.output, structured.isRunning, before]).toEqual(['over\n', false, true]);
      expect(await isAlive(daemonPid)).toBe(false);
      expect(reply.status).toContain('whatever it left running in the background is ended now');
    });

    it('ends with its session while that still runs', async () => {
      const client = await startClient();
      const { env, pid } = daemon();
      const { structured } = await client.exec(`${WAYS[2]![1]}\nsleep 300`, { tty, env, yield_time_ms: 0 });
      const daemonPid = await pid();

      const { structured: ended } = await client.terminate(structured.sessionId);

      expect(ended).toMatchObject({ signal: 'SIGTERM', endReason: 'terminatedByAgent' });
      expect(await isAlive(daemonPid)).toBe(false);
    });
  });

  it('is killed where it does not end when it is asked to', async () => {
    const client = await startClient();
    const { env, pid } = daemon("trap '' TERM HUP; while :; do sleep 0.1; done");
    const { structured } = await client.exec(WAYS[0]![1], { env, tty: false });
    const daemonPid = await pid();

    await client.terminate(structured.sessionId);

    expect(await isAlive(daemonPid)).toBe(false);
  });

  it('is left alone by the end of every other session, whatever the command says of itself', async () => {
    const client = await startClient();
    const { env, pid } = daemon();
    const first = await client.exec(WAYS[0]![1], { env, tty: false });
    const daemonPid = await pid();
    const mark = readFileSync(`/proc/${String(daemonPid)}/environ`, 'latin1')
      .split('\0')
      .find((entry) => entry.startsWith('EXEC_SESSIONS_SESSION='))!;
    const other = await client.exec('sleep 300', {
      yield_time_ms: 0,
      env: { EXEC_SESSIONS_SESSION: mark.slice(mark.indexOf('=') + 1) },
    });

    await client.terminate(other.structured.sessionId);
    const afterOther = await isAlive(daemonPid);
    await client.terminate(first.structured.sessionId);

    expect([afterOther, await isAlive(daemonPid)]).toEqual([true, false]);
  });

  it('goes on where it was started without the mark, and when the window or server goes away after its session', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const [unmarked, kept] = [daemon(), daemon()];
    const { structured } = await client.exec(`env -u EXEC_SESSIONS_SESSION ${WAYS[0]![1]}`, {
      env: unmarked.env,
      tty: false,
    });
    await client.exec(WAYS[0]![1], { env: kept.env, tty: false });
    const pids = [await unmarked.pid(), await kept.pid()];
    await client.terminate(structured.sessionId);
    await manager.shutDown();

    const alive = await Promise.all(pids.map(isAlive));
    for (const pid of pids) process.kill(pid);

    expect(alive).toEqual([true, true]);
  });
});

describe('the mark by which a session finds its programs', () => {
  it('is explained in the documentation', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('EXEC_SESSIONS_SESSION');
  });
});
