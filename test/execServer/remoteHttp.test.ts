import { describe, expect, it } from 'vitest';
import { RemoteHttpClient } from '../../src/execServer/client/remoteHttpClient';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { describeRequests, readText, responseOf, SENDER_ENV } from '../http/requests';
import { startHttpServer } from '../support/startHttpServer';
import { until } from '../support/until';
import { startFaultyProxy } from './support/faultyProxy';
import { createClient, createServerUnderTest, dialerTo, listenOnLoopback, TRANSPORTS } from './support/serverFixture';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';

const http = new LocalHttpClient(SENDER_ENV);
const request = { method: 'GET', headers: [], redirects: 'stop' } as const;

describe.each(TRANSPORTS)('over %s', (kind) => {
  describeRequests(async () => new RemoteHttpClient(createClient(await dialerTo(createServerUnderTest({ http }), kind))));
});

describe('a request over a connection', () => {
  it('fails when that drops, and is gone from its server', async () => {
    const server = await startHttpServer();
    const client = createClient(webSocketDialer({ url: await listenOnLoopback(createServerUnderTest({ http })) }));
    const remote = new RemoteHttpClient(client);

    const { body } = responseOf(await remote.request({ ...request, url: `${server.origin}/slowstream` }));
    const waiting = remote.request({ ...request, url: `${server.origin}/slow` });
    await until('both have arrived', () => server.openRequests() === 2);
    (await client.attach()).connection.dispose();

    await expect(readText(body)).rejects.toThrow('the connection with');
    expect(await waiting).toMatchObject({ kind: 'failed', failure: { kind: 'failed' } });
    await until('they are gone', () => server.openRequests() === 0, 1_500);
  });

  it('fails where a part of the body is missing, and not with a body that lacks it', async () => {
    const { origin } = await startHttpServer();
    const url = await listenOnLoopback(createServerUnderTest({ http }));
    const proxy = await startFaultyProxy(url, { swapFirst: 'http/request/bodyDelta' });
    const remote = new RemoteHttpClient(createClient(webSocketDialer({ url: proxy.url })));

    const { body } = responseOf(await remote.request({ ...request, url: `${origin}/stream` }));

    await expect(readText(body)).rejects.toThrow('part 2 of the body came where 1 was due');
  });

  it('is refused by a server that sends none, which says so', async () => {
    const remote = new RemoteHttpClient(createClient(await dialerTo(createServerUnderTest(), 'memory')));

    expect(await remote.request({ ...request, url: 'http://127.0.0.1/' })).toEqual({
      kind: 'failed',
      failure: { kind: 'unsupported', message: 'the server behind memory sends no HTTP requests' },
    });
  });
});
