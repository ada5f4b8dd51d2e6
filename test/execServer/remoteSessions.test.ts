/** Sessions whose programs run behind an exec-server: all that they can tell of a program of this machine. */
import { describe, expect, it } from 'vitest';
import { createManager, startSession } from '../support/startSession';
import { createRemoteBackend, TRANSPORTS } from './support/serverFixture';

describe.each(TRANSPORTS)('a session over %s', (kind) => {
  it('ends a wait when its program waits for input, and when it has answered', async () => {
    const manager = createManager({ backend: await createRemoteBackend(kind) });
    const session = await startSession(
      manager,
      'read -p "name? " name; sleep 0.1; read -s -p "word? " word; echo "got $name"',
    );

    const first = await session.wait(10_000);
    const wanted = session.inputWait();
    await session.write(Buffer.from('me\n'), 'agent');
    const second = await session.wait(10_000, { knownWait: wanted.stamp });
    const hidden = session.inputWait();
    await session.write(Buffer.from('secret\n'), 'user');
    const end = await session.wait(10_000, { knownWait: hidden.stamp });

    expect([first, wanted.waitingFor, second, hidden.waitingFor, end]).toEqual([
      'input',
      'input',
      'input',
      'hidden',
      'ended',
    ]);
    expect(session.state).toMatchObject({ kind: 'ended', reason: 'exited', status: { kind: 'code', code: 0 } });
  });

  it('does not take a program that works for one that waits', async () => {
    const manager = createManager({ backend: await createRemoteBackend(kind) });
    const session = await startSession(manager, 'printf "name? "; sleep 0.5; echo done');

    expect(await session.wait(10_000)).toBe('ended');
  });

  it('is ended with all that it has started', async () => {
    const manager = createManager({ backend: await createRemoteBackend(kind) });
    const session = await startSession(manager, 'sleep 300 & sleep 300');

    await session.terminate('agent');

    expect(session.state).toMatchObject({ kind: 'ended', reason: 'terminatedByAgent', status: { signal: 'SIGTERM' } });
  });
});
