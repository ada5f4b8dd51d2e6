import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Deferred } from '../../src/base/deferred';
import type { ExecBackend } from '../../src/process/execProcess';
import { LocalBackend } from '../../src/process/localBackend';
import { listProcesses } from '../../src/process/processMembers';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { chunksOf, RawClient } from './support/rawClient';
import { createServerUnderTest } from './support/serverFixture';

async function isAlive(pid: unknown): Promise<boolean> {
  return (await listProcesses()).some((process) => process.pid === pid);
}

describe('a session without a connection', () => {
  it('keeps its programs and what they print, for a client that comes back', async () => {
    const server = createServerUnderTest();
    const first = await RawClient.open(server);
    await first.start('p', 'echo before; read go < <(sleep 0.2); echo after; exit 4');
    await until('it prints', () => first.output('p') === 'before\n');

    first.drop();
    const second = await until('the session is free', () => RawClient.open(server, first.sessionId).catch(() => undefined));
    const read = await second.request('process/read', { processId: 'p', afterSeq: 1, waitMs: 5_000 });
    await second.event('process/closed', 'p');

    expect([second.sessionId, chunksOf(read)]).toEqual([first.sessionId, 'after\n']);
  });

  it('is ended with its programs when nobody comes back in time', async () => {
    const server = createServerUnderTest({ limits: { detachedLifetimeMs: 100 } });
    const client = await RawClient.open(server);
    const { result } = await client.start('p', 'sleep 300');
    expect(await isAlive(result!['pid'])).toBe(true);

    client.drop();
    await until('its program is gone', async () => !(await isAlive(result!['pid'])));

    const late = RawClient.connect(server);
    const { error } = await late.request('initialize', { clientName: 'late', resumeSessionId: client.sessionId });
    expect(error).toMatchObject({ code: -32600, message: `unknown session id ${client.sessionId}` });
  });

  it('keeps the newest output within its limit, and says where that begins', async () => {
    const server = createServerUnderTest({ limits: { retainedBytes: 100_000 } });
    const client = await RawClient.open(server);
    await client.start('p', 'head -c 1000000 /dev/zero | tr "\\0" x; printf end');
    await client.event('process/closed', 'p');

    const read = await client.request('process/read', { processId: 'p' });

    const kept = chunksOf(read);
    expect(kept.endsWith('xend')).toBe(true);
    expect(kept.length).toBeLessThanOrEqual(100_000);
    expect(read.result!['startOffset']).toBe(1_000_003 - kept.length);
  });
});

describe('a process', () => {
  it('can be read for a while after its end, and then its id is free', async () => {
    const client = await RawClient.open(createServerUnderTest({ limits: { closedRetentionMs: 300 } }));
    await client.start('p', 'echo one');
    await client.event('process/closed', 'p');

    const read = await client.request('process/read', { processId: 'p' });
    const taken = await client.start('p', 'echo two');
    const free = await until('its id is free', async () => {
      const started = await client.start('p', 'echo two');
      return started.error === undefined && started;
    });

    expect([chunksOf(read), taken.error?.code, free.result!['processId']]).toEqual(['one\n', -32600, 'p']);
  });

  it('gets what is written once, however often it is asked for', async () => {
    const client = await RawClient.open(createServerUnderTest());
    await client.start('p', 'cat', { pipeStdin: true });

    const statuses = [
      await client.write('p', 'a', 'one\n'),
      await client.write('p', 'a', 'one\n', { untilTaken: true }),
      await client.write('p', 'b', 'two\n'),
    ];
    await until('it answers', () => client.output('p') === 'one\ntwo\n');

    expect(statuses.map(({ result }) => result!['status'])).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('does not block the connection of a client that writes more than it reads', async () => {
    const client = await RawClient.open(createServerUnderTest());
    await client.start('p', 'sleep 300', { pipeStdin: true });

    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.write('p', String(index), 'x'.repeat(64 * 1_024))),
    );
    const ended = await client.request('process/terminate', { processId: 'p' });

    expect(new Set(writes.map(({ result }) => result!['status']))).toEqual(new Set(['accepted']));
    expect(ended.result).toEqual({ running: true });
    expect(await client.event('process/exited', 'p')).toMatchObject({ exitCode: 137 });
  });

  it('is told apart from a dead one by a terminate, which leaves alone what an ended program left behind', async () => {
    const client = await RawClient.open(createServerUnderTest());
    const folder = tempDir();
    await client.start('p', `(sleep 0.5; echo late > ${folder}/file) & echo started`);
    await client.event('process/exited', 'p');

    const { result } = await client.request('process/terminate', { processId: 'p' });

    expect(result).toEqual({ running: false });
    await until('the background child has written', () => existsSync(path.join(folder, 'file')));
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('late\n');
  });

  it.each([
    ['a sandbox', { sandbox: { permissions: { type: 'managed' }, windowsSandboxLevel: 'disabled' } }],
    ['a network proxy', { networkProxy: { proxy: {} } }],
  ])('that is to run with %s is refused, since there is none', async (_, rest) => {
    const client = await RawClient.open(createServerUnderTest());

    const { error } = await client.start('p', 'echo ran', rest);

    expect(error).toMatchObject({ code: -32603, data: { kind: 'sandboxUnavailable' } });
  });

  it('may be run with a sandbox that restricts nothing', async () => {
    const client = await RawClient.open(createServerUnderTest());

    await client.start('p', 'echo ran', { sandbox: { permissions: { type: 'disabled' }, windowsSandboxLevel: 'disabled' } });

    await until('it prints', () => client.output('p') === 'ran\n');
  });

  it('is gone when the server has shut down', async () => {
    const server = createServerUnderTest();
    const client = await RawClient.open(server);
    const started = await Promise.all(
      ['one', 'two'].map((id) => client.start(id, 'trap "" TERM HUP; sleep 300 & wait; sleep 300')),
    );

    await server.shutDown();

    const living = await Promise.all(started.map(({ result }) => isAlive(result!['pid'])));
    expect(living).toEqual([false, false]);
  });
});

describe('a process that is being started', () => {
  it('is ended when the server shuts down meanwhile', async () => {
    const begun = new Deferred<undefined>();
    const local = new LocalBackend();
    let pid = 0;
    const backend: ExecBackend = {
      start: async (spec) => {
        await begun.promise;
        const started = await local.start(spec);
        if (started.kind === 'started') ({ pid } = started.process);
        return started;
      },
    };
    const server = createServerUnderTest({ backend });
    const client = await RawClient.open(server);
    const start = client.start('p', 'sleep 300');
    await client.request('environment/status');
    expect((await client.write('p', 'w', 'x')).result).toEqual({ status: 'starting' });

    await server.shutDown();
    begun.resolve(undefined);

    expect((await start).error?.code).toBe(-32600);
    expect([pid > 0, await isAlive(pid)]).toEqual([true, false]);
  });
});

describe('a connection', () => {
  it('answers while a long read waits, and takes no more than it may work on', async () => {
    const client = await RawClient.open(createServerUnderTest({ concurrentRequests: 2 }));
    await client.start('p', 'sleep 300');
    const read = client.request('process/read', { processId: 'p', waitMs: 300_000 });

    const status = await client.request('environment/status');
    const secondRead = client.request('process/read', { processId: 'p', waitMs: 100 });
    const late = client.request('environment/status');
    const order = await Promise.race([secondRead.then(() => 'the read first'), late.then(() => 'the status first')]);
    await client.request('process/terminate', { processId: 'p' });

    expect([status.result, order]).toEqual([{ status: 'ready' }, 'the read first']);
    expect((await read).result).toMatchObject({ exited: true });
  });

  it('is told what is wrong with a message, and goes on', async () => {
    const client = await RawClient.open(createServerUnderTest());

    client.send('{"id":7,"method":"environment/status","id":8}');
    client.send(`{"id":7,"method":"x","params":${'['.repeat(200)}${']'.repeat(200)}}`);
    client.send(`{"id":7,"method":"x","params":[${'1,'.repeat(300_000)}1]}`);
    await client.request('environment/status');

    const errors = client.received.filter(({ id }) => id === -1).map(({ error }) => [error!.code, error!.message]);
    expect(errors).toEqual([
      [-32600, 'failed to parse a message: duplicate JSON object key "id"'],
      [-32600, 'failed to parse a message: the message is nested more than 127 levels deep'],
      [-32600, 'failed to parse a message: the message exceeds the limit of 262144 JSON values'],
    ]);
  });

  it.each([
    ['params.argv', { argv: 'sh' }, /^argv: /],
    ['the cwd', { cwd: 'relative' }, /^cwd "relative" is not a URI/],
    ['the size', { tty: true, size: { cols: 0, rows: 1 } }, /^size\.cols: /],
    ['the policy', { envPolicy: { inherit: 'some' } }, /^envPolicy\.inherit: /],
  ])('names what is wrong with %s', async (_, rest, message) => {
    const client = await RawClient.open(createServerUnderTest());

    const { error } = await client.start('p', 'true', rest);

    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  });
});
