import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { nullLog } from '../support/nullLog';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { CapabilityToken } from '../../src/execServer/server/capabilityToken';
import { listenForWebSockets } from '../../src/execServer/server/webSocketListener';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { runProcess, startFailure } from '../support/runProcess';
import { until } from '../support/until';
import { createClient, createServerUnderTest } from './support/serverFixture';

async function listen(token?: CapabilityToken): Promise<string> {
  const listener = await listenForWebSockets({
    server: createServerUnderTest(),
    log: nullLog,
    host: '127.0.0.1',
    port: 0,
    token,
  });
  onTestFinished(() => listener.close());
  return listener.url;
}

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

function call(url: string, { method = 'GET', path, headers = {} }: Call): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url.replace('ws:', 'http:')), { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The status with which an upgrade is refused, or `open`. */
function upgrade(url: string, headers: Record<string, string> = {}, path = '/'): Promise<string> {
  const socket = new WebSocket(new URL(path, url), { headers });
  onTestFinished(() => {
    socket.terminate();
  });
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', ({ message }) => resolve(/\d{3}/.exec(message)?.[0] ?? message));
  });
}

describe('the listener', () => {
  it.each<[Call, number]>([
    [{ path: '/readyz' }, 200],
    [{ path: '/readyz', method: 'HEAD' }, 200],
    [{ path: '/readyz', method: 'POST' }, 405],
    [{ path: '/healthz' }, 404],
    [{ path: '/' }, 400],
    [{ path: '/', method: 'POST' }, 405],
    [{ path: '/readyz', headers: { Origin: 'null' } }, 403],
    [{ path: '/other', headers: { Origin: 'https://example.com' } }, 403],
    [{ path: '/readyz', headers: { Host: 'example.com' } }, 403],
  ])('answers %j with status %i', async (wanted, status) => {
    expect(await call(await listen(), wanted)).toBe(status);
  });

  it('lets in who names no origin, and asks for the root', async () => {
    const url = await listen();

    expect([
      await upgrade(url),
      await upgrade(url, {}, '/?any=query'),
      await upgrade(url, { Origin: 'http://127.0.0.1' }),
      await upgrade(url, { Origin: 'null' }),
      await upgrade(url, {}, '/other'),
    ]).toEqual(['open', 'open', '403', '403', '404']);
  });

  it('lets in nobody who has reached the loopback address by another name, such as a page that has one made for it', async () => {
    const url = await listen();

    expect([
      await upgrade(url, { Host: 'localhost:1' }),
      await upgrade(url, { Host: '127.0.0.1:1' }),
      await upgrade(url, { Host: '[::1]' }),
      await upgrade(url, { Host: 'example.com' }),
      await upgrade(url, { Host: '127.0.0.1.example.com' }),
    ]).toEqual(['open', 'open', 'open', '403', '403']);
  });

  it('lets in only who shows the token, where there is one, but tells everybody that it is there', async () => {
    const sha256 = createHash('sha256').update('the token').digest('hex');
    for (const token of [CapabilityToken.ofText('the token'), CapabilityToken.ofSha256(sha256)]) {
      const url = await listen(token);

      expect([
        await upgrade(url, { Authorization: 'bearer the token' }),
        await upgrade(url),
        await upgrade(url, { Authorization: 'Bearer' }),
        await upgrade(url, { Authorization: 'Bearer another token' }),
        await upgrade(url, { Authorization: 'Basic the token' }),
        await upgrade(url, {}, '/?token=the%20token'),
        await call(url, { path: '/readyz' }),
      ]).toEqual(['open', '401', '401', '401', '401', '401', 200]);
    }
  });

  it('is reached by our client with its token, and says why not with another', async () => {
    const url = await listen(CapabilityToken.ofText('the token'));
    const backend = (token?: string): RemoteBackend => new RemoteBackend(createClient(webSocketDialer({ url, token })));

    const ran = await runProcess({ terminal: undefined, command: 'echo in' }, backend('the token'));
    await ran.closed;
    const failure = await startFailure({}, backend('another'));

    expect([ran.output(), failure.message]).toEqual([
      'in\n',
      expect.stringMatching(/cannot be reached: it refused with status 401: invalid websocket bearer token\.$/),
    ]);
  });

  it('takes an input that is too long for one frame', async () => {
    const backend = new RemoteBackend(createClient(webSocketDialer({ url: await listen() })));
    const stdin = Buffer.alloc(20_000_000, 'x');

    const ran = await runProcess({ terminal: undefined, command: 'wc -c', stdin }, backend);
    await ran.closed;

    expect(ran.output().trim()).toBe('20000000');
  });

  it('stops programs whose output a client does not take, and loses none of it', async () => {
    const url = await listen();
    const { hostname, port } = new URL(url);
    // A client that takes the handshake and then nothing, until it is told to.
    const socket = connect(Number(port), hostname);
    const client = new WebSocket(url, { createConnection: () => socket, perMessageDeflate: false });
    onTestFinished(() => {
      client.terminate();
    });
    await new Promise((resolve) => client.once('open', resolve));
    const total = 30_000_000;
    let received = 0;
    let isClosed = false;
    client.on('message', (data: Buffer) => {
      const { method, params } = JSON.parse(data.toString('utf8')) as { method?: string; params?: { chunk?: string } };
      received += Buffer.from(params?.chunk ?? '', 'base64').length;
      isClosed ||= method === 'process/closed';
    });
    const argv = ['/bin/bash', '-c', `head -c ${String(total)} /dev/zero; echo end >&2`];
    const params = { processId: 'p', argv, cwd: 'file:///', env: { PATH: process.env['PATH'] }, tty: false };
    for (const message of [
      { id: 1, method: 'initialize', params: { clientName: 'slow' } },
      { method: 'initialized' },
      { id: 2, method: 'process/start', params },
    ]) {
      client.send(JSON.stringify(message));
    }
    await until('it begins', () => received > 0);

    client.pause();
    const read = (await call(url, { path: '/readyz' })) === 200 && (await statusOf(url));
    client.resume();
    await until('all has come', () => isClosed);

    expect([read, received]).toEqual([{ status: 'ready' }, total + 4]);
  });
});

/** What another client is answered meanwhile. */
function statusOf(url: string): Promise<unknown> {
  return createClient(webSocketDialer({ url })).call('environment/status', null);
}
