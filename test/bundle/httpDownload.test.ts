/** Much comes through an exec-server by HTTP, in memory that does not grow with it. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { RemoteHttpClient } from '../../src/execServer/client/remoteHttpClient';
import type { Dialer } from '../../src/execServer/transports/dialer';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { createClient } from '../execServer/support/serverFixture';
import { describeRequests, readText, responseOf, SENDER_ENV } from '../http/requests';
import { cliPath } from '../support/builtCli';
import { floodDigest, REFUSING_ORIGIN, startHttpServer } from '../support/startHttpServer';
import { parentOfAProgram } from '../support/parentOfAProgram';
import { residentBytes } from '../support/residentBytes';

const MIB = 1_024 * 1_024;
const DOWNLOAD_BYTES = 1_024 * MIB;
/** Far less than what comes, and several times what both ends keep of it. */
const MAX_GROWTH_BYTES = 192 * MIB;

function overStdio(env: NodeJS.ProcessEnv = {}): Dialer {
  const argv: [string, ...string[]] = [process.execPath, cliPath, 'exec-server', '--listen', 'stdio'];
  return programDialer({ argv, env: { PATH: process.env['PATH'], ...SENDER_ENV, ...env } });
}

describe('behind a proxy', () => {
  const client = async (): Promise<RemoteHttpClient> =>
    new RemoteHttpClient(createClient(overStdio({ HTTP_PROXY: await startProxy() })));
  const get = { method: 'GET', headers: [], redirects: 'stop' } as const;

  it('asks that for other machines', async () => {
    const result = await (await client()).request({ ...get, url: 'http://elsewhere.invalid/hello' });

    expect(await readText(responseOf(result).body)).toBe('hello');
  });

  it('asks nobody for its own loopback', async () => {
    const { origin } = await startHttpServer();
    const other = new RemoteHttpClient(createClient(overStdio({ HTTP_PROXY: REFUSING_ORIGIN })));

    const result = await other.request({ ...get, url: `${origin}/hello` });

    expect(await readText(responseOf(result).body)).toBe('hello');
  });
});

describe('over standard input and output', () => {
  describeRequests(() => new RemoteHttpClient(createClient(overStdio())));

  it.skipIf(process.platform !== 'linux')('a large download leaves the memory of both ends small', async () => {
    const { origin } = await startHttpServer();
    const client = createClient(overStdio());
    const http = new RemoteHttpClient(client);
    const serverPid = await parentOfAProgram(new RemoteBackend(client));
    const resident = (): [number, number] => [residentBytes('self'), residentBytes(serverPid)];
    const digest = createHash('sha256');
    const before = resident();
    let largest = before;

    const url = `${origin}/flood/${String(DOWNLOAD_BYTES)}`;
    const { body } = responseOf(await http.request({ method: 'GET', url, headers: [], redirects: 'stop' }));
    for await (const chunk of body as AsyncIterable<Buffer>) {
      digest.update(chunk);
      const [ours, its] = resident();
      largest = [Math.max(largest[0], ours), Math.max(largest[1], its)];
    }

    expect(digest.digest('hex')).toBe(floodDigest(DOWNLOAD_BYTES));
    expect(largest[0] - before[0]).toBeLessThan(MAX_GROWTH_BYTES);
    expect(largest[1] - before[1]).toBeLessThan(MAX_GROWTH_BYTES);
  });
});

/** A proxy that leads to a server of this test, wherever it is asked to lead to. Returns its address. */
async function startProxy(): Promise<string> {
  const { hostname, port } = new URL((await startHttpServer()).origin);
  const proxy = createServer().on('connect', (_request, socket) => {
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    onTestFinished(() => void upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
}
