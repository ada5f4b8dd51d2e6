import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { HttpClient, HttpRequestHeader } from '../http/httpClient';

/** Statuses of responses that have no body. */
const BODYLESS: readonly number[] = [204, 205, 304];

export interface ExecutorFetchOptions {
  readonly http: HttpClient;
  /** Go with each request, in place of its own with the same names. */
  readonly headers: readonly HttpRequestHeader[];
  /** Nothing more comes of the response to a request, be it complete or not. */
  readonly onBodyClosed: (init: RequestInit) => void;
}

/**
 * What the SDK sends its requests by, here from the machine of `http`. It never follows a redirection: the SDK knows which ones may
 * be followed.
 */
export function executorFetch({ http, headers, onBodyClosed }: ExecutorFetchOptions): FetchLike {
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  return async (url, init = {}) => {
    const { method = 'GET', headers: given, body, signal } = init;
    const own = [...new Headers(given)].filter(([name]) => !names.has(name)).map(([name, value]) => ({ name, value }));
    if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('only text can be sent');
    const result = await http.request({
      method,
      url: String(url),
      headers: [...own, ...headers],
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      redirects: 'stop',
      signal: signal ?? undefined,
    });
    if (result.kind === 'failed') throw new Error(result.failure.message);
    const { response } = result;
    response.body.once('close', () => {
      onBodyClosed(init);
    });
    const received = new Headers();
    for (const { name, value } of response.headers) received.append(name, value);
    const isBodyless = BODYLESS.includes(response.status);
    if (isBodyless) response.body.resume();
    const stream = isBodyless ? null : (Readable.toWeb(response.body) as ReadableStream<Uint8Array<ArrayBuffer>>);
    return new Response(stream, { status: response.status, headers: received });
  };
}
