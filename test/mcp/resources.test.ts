import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startClient } from '../support/startClient';
import { createManager, startSession } from '../support/startSession';
import { until } from '../support/until';

describe('sessions as resources', () => {
  it('are listed with what each has printed, and the screen of those with a terminal', async () => {
    const client = await startClient();
    const terminal = (await client.exec('echo one; exit 3')).structured.sessionId;
    const pipes = (await client.exec('echo two', { tty: false })).structured.sessionId;

    const { resources } = await client.client.listResources();
    const texts = await Promise.all(
      resources.map(async ({ uri }) => {
        const { contents } = await client.client.readResource({ uri });
        return [uri, (contents[0] as { text: string }).text];
      }),
    );

    expect(texts).toEqual([
      [`exec-session://${String(terminal)}/transcript`, 'one\n'],
      [`exec-session://${String(terminal)}/screen`, 'one\n'],
      [`exec-session://${String(pipes)}/transcript`, 'two\n'],
    ]);
    expect(resources[0]?.description).toBe(`Session ${String(terminal)}, "echo one; exit 3": exit code 3.`);
  });

  it('are named by a reply that has an output only in part', async () => {
    const client = await startClient();

    const long = await client.exec('seq 1 100000', { max_output_tokens: 100 });
    const short = await client.exec('seq 1 10', { max_output_tokens: 100 });

    expect([long.links, short.links]).toEqual([[`exec-session://${String(long.structured.sessionId)}/transcript`], []]);
  });

  it('hold the beginning and the end of what is very long', async () => {
    const client = await startClient();
    const { sessionId } = (await client.exec('seq 1 30000')).structured;

    const { contents } = await client.client.readResource({ uri: `exec-session://${String(sessionId)}/transcript` });

    const lines = (contents[0] as { text: string }).text.trimEnd().split('\n');
    expect([lines[0], lines[9_999], lines[10_000], lines[10_001], lines.at(-1)]).toEqual([
      '1',
      '10000',
      '[… 10,000 lines omitted; read_output reads them …]',
      '20001',
      '30000',
    ]);
  });

  it('that are not there are refused', async () => {
    const client = await startClient();

    for (const uri of ['exec-session://1/transcript', 'exec-session://x/y', 'file:///etc/passwd']) {
      await expect(client.client.readResource({ uri })).rejects.toThrow(`${uri}: there is no such resource`);
    }
  });

  it('tell every client when there are others', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    let changes = 0;
    client.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      changes++;
    });

    await startSession(manager, 'sleep 30');

    await until('the client is told', () => changes === 1);
  });

  it.runIf(process.platform === 'linux')(
    'tell those who subscribed of a question and of the end, once each, and no one else',
    async () => {
      const manager = createManager();
      const client = await startClient(manager);
      const other = await startClient(manager);
      const updates: string[] = [];
      client.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
      other.client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void updates.push('other'));
      const session = await startSession(manager, 'sleep 0.2; read line; echo working; sleep 0.3; exit 4');
      const uri = `exec-session://${String(session.info.id)}/transcript`;
      await client.client.subscribeResource({ uri });

      await until('the question is told', () => updates.length === 1);
      await session.write(Buffer.from('\n'), 'user');
      await until('the end is told', () => updates.length === 2);
      await client.poll(session.info.id, { yield_time_ms: 300 });

      expect(updates).toEqual([uri, uri]);
    },
  );

  it('say nothing more once the subscription is taken back', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const updates: string[] = [];
    client.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
    const session = await startSession(manager, 'sleep 0.3');
    const uri = `exec-session://${String(session.info.id)}/transcript`;
    await client.client.subscribeResource({ uri });
    await client.client.unsubscribeResource({ uri });

    await session.waitForEnd(20_000);
    await client.list();

    expect(updates).toEqual([]);
  });
});
