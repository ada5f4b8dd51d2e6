/** Sessions whose programs run behind an exec-server: all that they can tell of a program of this machine. */
import { describe, expect, it } from 'vitest';
import { createManager, startSession } from '../support/startSession';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { startClient } from '../support/startClient';
import { until } from '../support/until';
import { startFaultyProxy } from './support/faultyProxy';
import {
  createClient,
  createRemoteBackend,
  createServerUnderTest,
  listenOnLoopback,
  TRANSPORTS,
} from './support/serverFixture';

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

describe('an agent whose command runs elsewhere', () => {
  it('is told at once that its host is lost, and why', async () => {
    const proxy = await startFaultyProxy(await listenOnLoopback(createServerUnderTest()), { refuseMs: 60_000 });
    const remote = createClient(webSocketDialer({ url: proxy.url }), { recoveryDeadlineMs: 200 });
    const manager = createManager({ backend: new RemoteBackend(remote) });
    const client = await startClient(manager);
    const reply = client.exec('echo begun; sleep 300', { yield_time_ms: 300_000 });
    await until('it runs', () => manager.list()[0]?.lastLine() === 'begun');

    proxy.drop();

    const { structured, status } = await reply;
    expect(structured).toMatchObject({ isRunning: false, endReason: 'hostLost', output: 'begun\n' });
    expect(status).toMatch(/was lost after .*: The connection with ws:\/\/.* could not be reached again within 200 ms/);
    expect((await client.list())[0]).toMatchObject({ endReason: 'hostLost' });
  });

  it('is told how much of the output was lost with a connection', async () => {
    const server = createServerUnderTest({ limits: { retainedBytes: 100_000 } });
    const faults = { dropAfter: { method: 'process/output', count: 1 }, refuseMs: 1_000 };
    const proxy = await startFaultyProxy(await listenOnLoopback(server), faults);
    const backend = new RemoteBackend(createClient(webSocketDialer({ url: proxy.url })));
    const client = await startClient(createManager({ backend }));

    const { structured } = await client.exec('echo first; sleep 0.3; yes | head -c 1000000', {
      tty: false,
      yield_time_ms: 60_000,
    });

    expect(structured.output).toMatch(/^first\n\n\[\d+ bytes of output were lost with the connection\]\n/);
    expect(structured).toMatchObject({ isRunning: false, exitCode: 0 });
  });
});
