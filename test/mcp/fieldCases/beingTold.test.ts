import { readFileSync } from 'node:fs';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startClient, type ToolClient } from '../../support/startClient';
import { startHttpClient, startHttpHost } from '../../support/startHttpHost';
import { createManager, startSession } from '../../support/startSession';
import { until } from '../../support/until';

const LONG = { yield_time_ms: 60_000 };
/** How late a client may hear of what happened. */
const TOLD_WITHIN_MS = 1_000;
const isLinux = process.platform === 'linux';

interface Told {
  readonly uri: string;
  readonly atMs: number;
}

/** What a client is told from now on. */
function listen({ client }: ToolClient): Told[] {
  const told: Told[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push({ uri: params.uri, atMs: Date.now() });
  });
  return told;
}

async function follow({ client }: ToolClient, sessionId: number, kind = 'transcript'): Promise<string> {
  const uri = `exec-session://${String(sessionId)}/${kind}`;
  await client.subscribeResource({ uri });
  return uri;
}

/** When all that was sent before has arrived: messages of a connection keep their order. */
async function settle(client: ToolClient): Promise<void> {
  for (let round = 0; round < 3; round++) await client.list();
}

describe('a client that follows a session', () => {
  it.each([
    ['in the same process', () => startClient()],
    ['over HTTP', async () => startHttpClient(await startHttpHost())],
  ])('is told of the end, once, and of nothing after it: %s', async (_where, start) => {
    const client = await start();
    const told = listen(client);
    const { structured } = await client.exec('sleep 0.8; echo done; exit 3', { yield_time_ms: 0 });
    const uri = await follow(client, structured.sessionId);

    await until('it is told', () => told.length > 0);
    const { structured: last } = await client.poll(structured.sessionId);
    await client.exec('true');
    await settle(client);

    expect(told.map((one) => one.uri)).toEqual([uri]);
    expect(last).toMatchObject({ output: 'done\n', exitCode: 3, isRunning: false });
  });

  it('hears of an end within a second', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const told = listen(client);
    const session = await startSession(manager, 'sleep 0.5');
    await follow(client, session.info.id);

    await until('it is told', () => told.length > 0);

    const endedAt = session.state.kind === 'ended' ? session.state.endedAt : Infinity;
    expect(told[0]!.atMs - endedAt).toBeLessThan(TOLD_WITHIN_MS);
  });

  it('is not told of mere output, however much', async () => {
    const client = await startClient();
    const told = listen(client);
    const { structured } = await client.exec('for i in $(seq 2000); do echo $i; done; sleep 0.5; seq 1 100000', {
      yield_time_ms: 0,
    });
    await follow(client, structured.sessionId);

    await client.poll(structured.sessionId, LONG);
    await settle(client);

    expect(told).toHaveLength(1);
  });

  it.runIf(isLinux)('is told of each question once, whoever answers, and of the end', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const told = listen(client);
    const session = await startSession(manager, 'for i in 1 2 3; do read -p "$i? " x; done; sleep 0.3');
    await follow(client, session.info.id);

    for (let question = 1; question <= 3; question++) {
      await until(`question ${String(question)} is told`, () => told.length === question);
      if (question === 2) await session.write(Buffer.from('x\n'), 'user');
      else await client.write(session.info.id, 'x\n', { yield_time_ms: 0 });
    }
    await until('the end is told', () => told.length === 4);
    await settle(client);

    expect(told).toHaveLength(4);
  });

  it.each([
    ['a signal', 'kill -TERM $$', undefined],
    ['the agent', 'sleep 60', 'agent'],
    ['the user', 'sleep 60', 'user'],
    ['the tab that was closed', 'sleep 60', 'tabClosed'],
  ] as const)('is told once, although the session was ended by %s', async (_what, cmd, requester) => {
    const manager = createManager();
    const client = await startClient(manager);
    const told = listen(client);
    const session = await startSession(manager, `sleep 0.3; ${cmd}`);
    const uri = await follow(client, session.info.id);

    if (requester !== undefined) await session.terminate(requester);
    await until('it is told', () => told.length > 0);
    await until('it has ended', () => session.state.kind === 'ended' && session.state.status !== undefined);
    await settle(client);

    expect(told.map((one) => one.uri)).toEqual([uri]);
  });

  it('is told of each of several sessions, and of each part that it follows', async () => {
    const client = await startClient();
    const told = listen(client);
    const expected: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { sessionId } = (await client.exec('sleep 0.6', { yield_time_ms: 0 })).structured;
      expected.push(await follow(client, sessionId), await follow(client, sessionId, 'screen'));
    }

    await until('all are told', () => told.length >= expected.length);
    await settle(client);

    expect(told.map(({ uri }) => uri).sort()).toEqual(expected.sort());
  });

  it('twice is told once', async () => {
    const client = await startClient();
    const told = listen(client);
    const { sessionId } = (await client.exec('sleep 0.4', { yield_time_ms: 0 })).structured;
    await follow(client, sessionId);
    await follow(client, sessionId);

    await client.poll(sessionId, LONG);
    await settle(client);

    expect(told).toHaveLength(1);
  });

  it('that has ended already is told nothing, because nothing changes any more', async () => {
    const client = await startClient();
    const told = listen(client);
    const { sessionId } = (await client.exec('true')).structured;

    await follow(client, sessionId);
    await settle(client);

    expect(told).toEqual([]);
  });
});

describe('a second agent', () => {
  it.each([
    ['in the same process', false],
    ['over HTTP', true],
  ])('sees, reads and follows what the first one started, from the first byte on: %s', async (_where, isHttp) => {
    const manager = createManager();
    const host = isHttp ? await startHttpHost(manager) : undefined;
    const start = (): Promise<ToolClient> => (host === undefined ? startClient(manager) : startHttpClient(host));
    const parent = await start();
    const cmd = 'stty -echo; echo ready; read -r line; echo "<$line>"; sleep 0.3; exit 6';
    const id = await parent.execUntil(cmd, 'ready', { title: 'Shared' });

    const child = await start();
    const told = listen(child);
    const [listed] = await child.list();
    await follow(child, id);
    const seen = await child.poll(id, { yield_time_ms: 0 });
    const written = await child.write(id, 'from the child\n', { wait_for: '^<', ...LONG });
    await until('the child is told of the end', async () => told.length > 0 && (await child.list())[0]?.isRunning === false);
    const [last, parents] = [await child.poll(id), await parent.poll(id)];

    expect(listed).toMatchObject({ sessionId: id, title: 'Shared', isRunning: true, hasUnread: true, command: cmd });
    expect(seen.structured.output).toBe('ready\n');
    expect(written.structured).toMatchObject({ output: '<from the child>\n', typedByUserBytes: 0 });
    expect(last.structured).toMatchObject({ output: '', exitCode: 6 });
    expect(parents.structured).toMatchObject({ output: '<from the child>\n', exitCode: 6, typedByUserBytes: 0 });
  });

  it('that comes after the end still finds everything', async () => {
    const manager = createManager();
    const parent = await startClient(manager);
    const { sessionId } = (await parent.exec('echo all; exit 2')).structured;
    await parent.client.close();

    const child = await startClient(manager);
    const { structured } = await child.poll(sessionId);

    expect(structured).toMatchObject({ output: 'all\n', exitCode: 2 });
  });

  it('going away takes nothing from the first', async () => {
    const manager = createManager();
    const [parent, child] = [await startClient(manager), await startClient(manager)];
    const told = listen(parent);
    const { sessionId } = (await child.exec('sleep 0.6; echo kept', { yield_time_ms: 0 })).structured;
    await follow(parent, sessionId);
    await follow(child, sessionId);

    await child.client.close();
    const { structured } = await parent.poll(sessionId, LONG);
    await until('the first is told', () => told.length === 1);

    expect(structured).toMatchObject({ output: 'kept\n', exitCode: 0 });
  });

  it('and what it sees is described in the documentation', () => {
    const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');

    expect(readme).toContain('All clients of a window see all its sessions; each is given every byte of output once.');
    expect(readme).toContain('a client that subscribes is told when the session asks for something and when it ends.');
  });
});
