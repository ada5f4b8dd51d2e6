/** What every HTTP client does with a request, wherever it is sent from. Each test asks for the client anew. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { HttpClient, HttpHeader, HttpRequest, HttpResponse, HttpResult } from '../../src/http/httpClient';
import { floodDigest, REFUSING_ORIGIN, startHttpServer } from '../support/startHttpServer';
import { type Differences, testBut } from '../support/testBut';
import { until } from '../support/until';

/** What the machine that sends has in its environment. */
export const SENDER_ENV = { MY_TOKEN: 's3cret', OPENAI_API_KEY: 'key of the machine' };

/** Nothing moves for so long: it waits. */
const STILL_MS = 200;

export type GetClient = () => HttpClient | Promise<HttpClient>;

export function describeRequests(getClient: GetClient, differences: Differences = {}): void {
  const it = testBut(differences);
  const send = async (url: string, rest: Partial<HttpRequest> = {}): Promise<HttpResult> =>
    (await getClient()).request({ method: 'GET', url, headers: [], redirects: 'follow', ...rest });
  const get = async (url: string, rest: Partial<HttpRequest> = {}): Promise<HttpResponse> =>
    responseOf(await send(url, rest));
  const failure = async (url: string, rest: Partial<HttpRequest> = {}): Promise<[string, string]> => {
    const result = await send(url, rest);
    if (result.kind !== 'failed') throw new Error(`there is a response with status ${String(result.response.status)}`);
    return [result.failure.kind, result.failure.message];
  };

  it('has the status, the headers with those that come twice, and the body', async () => {
    const { origin } = await startHttpServer();

    const { status, headers, body } = await get(`${origin}/hello`);

    expect([status, valuesOf(headers, 'x-a'), await readText(body)]).toEqual([200, ['1', '2'], 'hello']);
  });

  it('sends method, headers and body as given', async () => {
    const { origin } = await startHttpServer();
    const headers = [
      { name: 'X-B', value: '1' },
      { name: 'X-B', value: '2' },
    ];

    const { status, body } = await get(`${origin}/echo`, { method: 'MKCOL', headers, body: Buffer.from('grüße') });

    const echo = JSON.parse(await readText(body)) as { m: string; h: string[]; b: string };
    expect([status, echo.m, echo.h.filter((name) => name === 'x-b').length, echo.b]).toEqual([201, 'MKCOL', 2, 'grüße']);
  });

  it('takes every status for a response, also one without a body', async () => {
    const { origin } = await startHttpServer();

    const responses = await Promise.all(
      ['nowhere', 'empty'].map(async (route) => {
        const { status, body } = await get(`${origin}/${route}`);
        return [status, await readText(body)];
      }),
    );

    expect(responses).toEqual([
      [404, 'nope'],
      [204, ''],
    ]);
  });

  it('follows a redirection, or stops at it', async () => {
    const { origin } = await startHttpServer();

    const followed = await get(`${origin}/redir-echo`, { method: 'POST', body: Buffer.from('once') });
    const stopped = await get(`${origin}/redir`, { redirects: 'stop' });

    expect(JSON.parse(await readText(followed.body))).toMatchObject({ m: 'GET', b: '' });
    expect([stopped.status, valuesOf(stopped.headers, 'location'), await readText(stopped.body)]).toEqual([
      302,
      ['/hello'],
      'redirecting',
    ]);
  });

  it('takes credentials to no other server than the one they are for', async () => {
    const { origin } = await startHttpServer();
    const headers = [
      { name: 'Authorization', value: 'Bearer secret' },
      { name: 'X-Kept', value: 'yes' },
    ];

    const { body } = await get(`${origin}/redir-away`, { headers });

    const arrived = JSON.parse(await readText(body)) as Record<string, string>;
    expect([arrived['x-kept'], arrived['authorization']]).toEqual(['yes', undefined]);
  });

  it('gives up redirections that lead nowhere', async () => {
    const { origin } = await startHttpServer();

    expect((await failure(`${origin}/loop`))[0]).toBe('failed');
    expect((await failure(`${origin}/far`))[0]).toBe('failed');
  });

  it('says which connection was refused', async () => {
    expect(await failure(`${REFUSING_ORIGIN}/`)).toEqual(['failed', expect.stringContaining('127.0.0.1:1')]);
  });

  it('gives up after the time that a response may take, and after that of its body', async () => {
    const { origin } = await startHttpServer();

    const [kind] = await failure(`${origin}/slow`, { timeoutMs: 200 });
    const { body } = await get(`${origin}/slowstream`, { timeoutMs: 400 });

    expect(kind).toBe('failed');
    await expect(readText(body)).rejects.toThrow();
  });

  const refused: [string, string, Partial<HttpRequest>, RegExp][] = [
    ['an address without a scheme', 'nope', {}, /url is invalid/],
    ['another scheme', 'ftp://127.0.0.1/', {}, /only supports http and https URLs, got ftp/],
    ['a method with a space', `${REFUSING_ORIGIN}/`, { method: 'G T' }, /method is invalid/],
    [
      'a header name with a space',
      `${REFUSING_ORIGIN}/`,
      { headers: [{ name: 'a b', value: '' }] },
      /header name is invalid/,
    ],
    [
      'a header with a line end',
      `${REFUSING_ORIGIN}/`,
      { headers: [{ name: 'a', value: 'x\ny' }] },
      /header value is invalid for a/,
    ],
  ];
  for (const [what, url, rest, message] of refused) {
    it(`refuses ${what} and says so`, async () => {
      expect(await failure(url, rest)).toEqual(['badRequest', expect.stringMatching(message)]);
    });
  }

  it('fills in a header from the environment of the machine that sends it', async () => {
    const { origin } = await startHttpServer();
    const headers = [{ name: 'Authorization', value: 'Bearer ', valueEnvVar: 'MY_TOKEN' }];

    const { body } = await get(`${origin}/headers`, { headers });

    expect(JSON.parse(await readText(body))).toMatchObject({ authorization: 'Bearer s3cret' });
  });

  it('sends nothing with a variable that is not there, or that is a credential of the machine', async () => {
    const withVariable = (valueEnvVar: string): Promise<[string, string]> =>
      failure(`${REFUSING_ORIGIN}/`, { headers: [{ name: 'X', value: '', valueEnvVar }] });

    expect(await withVariable('NOPE')).toEqual(['badRequest', 'header X requires executor environment variable NOPE']);
    expect(await withVariable('OPENAI_API_KEY')).toEqual([
      'badRequest',
      'header X cannot use executor environment variable OPENAI_API_KEY',
    ]);
  });

  it('undoes a compression', async () => {
    const { origin } = await startHttpServer();

    const { headers, body } = await get(`${origin}/gzip`);

    expect([await readText(body), valuesOf(headers, 'content-encoding')]).toEqual(['zipped', []]);
  });

  it('hands over each part of a body when it comes', async () => {
    const { origin } = await startHttpServer();

    const { body } = await get(`${origin}/slowstream`);
    let text = '';
    body.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));

    await until('there are parts of a body without end', () => text.startsWith('a..'));
    body.destroy();
  });

  it('says that a body broke off after what came of it', async () => {
    const { origin } = await startHttpServer();

    const { body } = await get(`${origin}/abort`);
    let text = '';
    body.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    const error = await new Promise<Error>((resolve) => body.once('error', resolve));

    expect([text, error.message]).toEqual(['partial', expect.stringMatching(/./)]);
  });

  it('keeps bodies apart that come at once', async () => {
    const { origin } = await startHttpServer();
    const client = await getClient();
    const lengths = [100_000, 200_000, 300_000, 0, 1];

    const hashes = await Promise.all(
      lengths.map(async (length) => {
        const url = `${origin}/flood/${String(length)}`;
        return hash(responseOf(await client.request({ method: 'GET', url, headers: [], redirects: 'stop' })).body);
      }),
    );

    expect(hashes).toEqual(lengths.map(floodDigest));
  });

  it('drops a request that nobody waits for any more', async () => {
    const server = await startHttpServer();
    const controller = new AbortController();

    const waiting = send(`${server.origin}/slow`, { signal: controller.signal });
    await until('the request has arrived', () => server.openRequests() === 1);
    controller.abort(new Error('nobody waits'));

    await expect(waiting).rejects.toThrow('nobody waits');
    await until('it is gone from the server', () => server.openRequests() === 0, 1_500);
  });

  it('drops the rest of a body that nobody wants', async () => {
    const server = await startHttpServer();

    const { body } = await get(`${server.origin}/slowstream`);
    body.destroy();

    await until('it is gone from the server', () => server.openRequests() === 0);
  });

  it('makes a server wait while nobody reads, and has every byte in the end', async () => {
    const server = await startHttpServer();
    const length = 64 * 1_024 * 1_024;

    const { body } = await get(`${server.origin}/flood/${String(length)}`);
    let last = { bytes: 0, sinceMs: 0 };
    await until('the server has stopped', () => {
      const bytes = server.floodedBytes();
      if (bytes !== last.bytes) last = { bytes, sinceMs: performance.now() };
      return bytes > 0 && performance.now() - last.sinceMs > STILL_MS;
    });
    const sentUnread = server.floodedBytes();

    expect(sentUnread).toBeLessThan(length / 2);
    expect(await hash(body)).toBe(floodDigest(length));
  });
}

export function responseOf(result: HttpResult): HttpResponse {
  if (result.kind === 'failed') throw new Error(result.failure.message);
  return result.response;
}

export async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function hash(body: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of body as AsyncIterable<Buffer>) digest.update(chunk);
  return digest.digest('hex');
}

function valuesOf(headers: readonly HttpHeader[], wanted: string): string[] {
  return headers.filter(({ name }) => name === wanted).map(({ value }) => value);
}
