import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { programDialer, shellCommandDialer } from '../../src/execServer/transports/programDialer';
import { socketDialer } from '../../src/execServer/transports/socketDialer';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { listProcesses } from '../../src/process/processMembers';
import { runProcess, startFailure } from '../support/runProcess';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { type Faults, startFaultyProxy } from './support/faultyProxy';
import { createClient, createServerUnderTest, listenOnLoopback } from './support/serverFixture';

const numbers = Array.from({ length: 20 }, (_, index) => `line ${String(index)}\n`).join('');
const printNumbers = 'for i in {0..19}; do echo line $i; sleep 0.02; done; exit 5';

async function startFaulty(faults: Faults, options: { recoveryDeadlineMs?: number; retainedBytes?: number } = {}) {
  const { retainedBytes, ...clientOptions } = options;
  const server = createServerUnderTest(retainedBytes === undefined ? {} : { limits: { retainedBytes } });
  const proxy = await startFaultyProxy(await listenOnLoopback(server), faults);
  const client = createClient(webSocketDialer({ url: proxy.url }), clientOptions);
  return { proxy, client, server, backend: new RemoteBackend(client) };
}

describe('a program elsewhere', () => {
  it.each<[string, Faults]>([
    ['a drop', { dropAfter: { method: 'process/output', count: 3 } }],
    ['a drop after which nobody answers for a while', { dropAfter: { method: 'process/output', count: 3 }, refuseMs: 700 }],
    ['a drop after its end', { dropAfter: { method: 'process/exited', count: 1 } }],
    ['notifications that overtake each other', { swapFirst: 'process/output' }],
    ['a lost notification', { swallow: { method: 'process/output', count: 2 } }],
  ])('loses nothing by %s', async (_, faults) => {
    const { backend } = await startFaulty(faults);

    const ran = await runProcess({ terminal: undefined, command: printNumbers }, backend);
    await ran.closed;

    expect([ran.output(), ...ran.events]).toEqual([numbers, 'exit code 5', 'closed']);
    expect(ran.sequence).toEqual(ran.sequence.map((_seq, index) => index + 1));
  });

  it('loses nothing by a line that is cut, which tells nobody of itself', { timeout: 60_000 }, async () => {
    const proxy = await startFaultyProxy(await listenOnLoopback(createServerUnderTest()));
    const backend = new RemoteBackend(createClient(webSocketDialer({ url: proxy.url, probeIntervalMs: 200 })));
    const command = 'for i in {0..19}; do echo line $i; sleep 0.3; done; exit 5';
    const ran = await runProcess({ terminal: undefined, command }, backend);
    await until('it begins', () => ran.output().includes('line 1\n'));

    proxy.cut();
    await ran.closed;

    expect([proxy.connections() > 1, ran.output(), ...ran.events]).toEqual([true, numbers, 'exit code 5', 'closed']);
  });

  it('has the output counted that was printed while nobody could read it and was too much to keep', async () => {
    const { backend } = await startFaulty(
      { dropAfter: { method: 'process/output', count: 1 }, refuseMs: 1_000 },
      { retainedBytes: 100_000 },
    );
    const ran = await runProcess({ terminal: undefined, command: 'echo first; sleep 0.3; yes | head -c 1000000' }, backend);
    let lostBytes = 0;
    ran.process.onEvent((event) => {
      if (event.type === 'gap') lostBytes += event.bytes;
    });
    await ran.closed;

    expect(lostBytes).toBeGreaterThan(800_000);
    expect(lostBytes + ran.outputBytes().length).toBe(1_000_006);
    expect(ran.events).toEqual(['exit code 0', 'closed']);
  });

  it('gets what is typed during a drop, once', async () => {
    const { backend, proxy } = await startFaulty({ refuseMs: 300 });
    const ran = await runProcess({ command: 'stty -echo; echo ready; cat' }, backend);
    await until('it is ready', () => ran.output().includes('ready'));

    const before = ran.process.write(Buffer.from('one\n'));
    proxy.drop();
    const after = ran.process.write(Buffer.from('two\n'));
    const results = await Promise.all([before, after]);
    await until('it answers', () => ran.output().includes('two'));

    expect(results).toEqual([{ kind: 'written' }, { kind: 'written' }]);
    expect(ran.output().replaceAll('\r', '')).toBe('ready\none\ntwo\n');
  });

  it('is lost, with the reason, when its machine cannot be reached again in time', async () => {
    const { backend, proxy, client } = await startFaulty({ refuseMs: 60_000 }, { recoveryDeadlineMs: 300 });
    const ran = await runProcess({ command: 'sleep 300' }, backend);
    const write = ran.process.write(Buffer.from('x'));
    await write;

    proxy.drop();
    await ran.closed;

    expect(ran.events).toEqual([
      expect.stringMatching(
        /^The connection with ws:\/\/127\.0\.0\.1:\d+ ended \(.*could not be reached again within 300 ms: .*503/,
      ),
      'closed',
    ]);
    expect(client.state.kind).toBe('disconnected');
    expect(await ran.process.write(Buffer.from('x'))).toEqual({ kind: 'refused', reason: 'ended' });
  });

  it('is lost when the server does not know the session any more, and the next one gets a new session', async () => {
    const { backend, proxy, server } = await startFaulty({ refuseMs: 200 });
    const ran = await runProcess({ command: 'sleep 300' }, backend);

    proxy.drop();
    await server.shutDown();
    await ran.closed;
    const next = await runProcess({ terminal: undefined, command: 'echo next' }, backend);
    await next.closed;

    expect([ran.events[0], next.output()]).toEqual([expect.stringContaining('unknown session id'), 'next\n']);
  });

  it('is lost with the program that leads to it, whose last words are told', async () => {
    const file = path.join(tempDir(), 'server');
    // A server that dies in the midst of its work.
    writeFileSync(file, serverThatDies, { mode: 0o755 });
    const client = createClient(programDialer({ argv: ['/bin/bash', file] }));

    const ran = await runProcess({ command: 'anything' }, new RemoteBackend(client));
    await ran.closed;

    expect(ran.events[0]).toBe(
      'The connection with bash ended (the program ended with exit code 255: Connection to host closed by remote host.).',
    );
  });
});

describe('a server that breaks the protocol', () => {
  it.each([
    [
      'tells what is not as agreed',
      '{"method":"process/output","params":{$id,"seq":"one"}}',
      /process\/output is not as agreed: seq/,
    ],
    ['answers what nobody asked', '{"id":77,"result":{}}', /an answer to no request came \(id 77\)/],
  ])('loses its client, who says why (%s)', async (_, message, reason) => {
    const script = `read -r a; echo '{"id":1,"result":{"sessionId":"s"}}'; read -r a; read -r a
id=$(printf %s "$a" | grep -o '"processId":"[^"]*"')
echo '{"id":2,"result":{"processId":"p"}}'; echo '${message.replace('$id', `'"$id"'`)}'; read -r a`;
    const backend = new RemoteBackend(createClient(shellCommandDialer(script)));

    const ran = await runProcess({}, backend);
    await ran.closed;

    expect(ran.events[0]).toMatch(reason);
  });
});

const serverThatDies = `
read -r line; echo '{"id":1,"result":{"sessionId":"s"}}'
read -r line; read -r line; echo '{"id":2,"result":{"processId":"p"}}'
sleep 0.2
echo 'Connection to host closed by remote host.' >&2
exit 255
`;

describe('a server that cannot be reached', () => {
  it.each([
    [
      'a websocket',
      webSocketDialer({ url: 'ws://user:password@127.0.0.1:9/path?token=secret' }),
      /^ws:\/\/127\.0\.0\.1:9 cannot be reached: .*ECONNREFUSED/,
    ],
    ['a socket', socketDialer('/no/such/socket'), /^a socket of this machine cannot be reached: .*ENOENT/],
    ['a program', programDialer({ argv: ['/no/such/program', '--token=secret'] }), /^program cannot be reached: .*ENOENT/],
    [
      'a program that ends',
      programDialer({ argv: ['/bin/false', '--token=secret'] }),
      /^false cannot be reached: .*exit code 1/,
    ],
    ['a command', shellCommandDialer('echo secret >/dev/null; exit 7'), /^a shell command cannot be reached: .*exit code 7/],
  ])('is told as a failure to start that names it, and no secret (%s)', async (_, dialer, message) => {
    const failure = await startFailure({}, new RemoteBackend(createClient(dialer)));

    expect(failure).toMatchObject({ kind: 'hostFailed', message: expect.stringMatching(message) });
    expect(failure.message).not.toMatch(/secret|password/);
  });
});

describe('a client', () => {
  it('fails what waits for an answer when it is closed, with the reason', async () => {
    const { client } = await startFaulty({});
    const pending = client.call('process/read', { processId: 'none' }).catch((error: unknown) => error);
    await client.attach();
    const { connection } = await client.attach();
    const waiting = connection.request('environment/status', null).catch((error: unknown) => String(error));

    client.dispose();

    expect(await waiting).toMatch(
      /environment\/status was not answered: the connection with ws:.* ended \(it was closed from here\)/,
    );
    expect(await pending).toBeInstanceOf(Error);
  });

  it('ends the program that leads to the server when it is closed', async () => {
    const file = path.join(tempDir(), 'pid');
    const answer = '{"id":1,"result":{"sessionId":"s"}}';
    const stubborn = `trap '' TERM; read -r line; echo $$ > ${file}; echo '${answer}'; exec 0<&-; sleep 300; sleep 300`;
    const client = createClient(shellCommandDialer(stubborn));
    await client.attach();
    const serverPid = Number(readFileSync(file, 'utf8'));
    const isAlive = async (): Promise<boolean> =>
      (await listProcesses()).some(({ pid, sessionPid }) => pid === serverPid || sessionPid === serverPid);
    expect(await isAlive()).toBe(true);

    client.dispose();

    await until('it is gone, with what it has started', async () => !(await isAlive()));
  });
});
