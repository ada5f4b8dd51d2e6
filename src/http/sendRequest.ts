/**
 * Sends one request with undici. The `fetch` of Node.js would not do: it joins headers that come twice, adds some of its own, ends
 * a stream that is silent for five minutes, and knows no proxies.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EnvHttpProxyAgent, interceptors, request as send } from 'undici';
import type { HttpHeader, HttpRequest, HttpResponse } from './httpClient';

/** As Codex's server has it. */
const MAX_REDIRECTIONS = 10;

export interface Checked {
  readonly url: URL;
  readonly headers: readonly HttpHeader[];
}

/** No proxy reaches the loopback of this machine, and none should see what goes there. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';
/** As for undici: for nothing is a proxy used. */
const NO_PROXY_AT_ALL = '*';

/** Connections are kept for the next request. How long an answer may take is for its request to say. */
const agent = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, noProxy: hostsWithoutProxy(process.env) });
const following = agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTIONS }));

function hostsWithoutProxy(env: NodeJS.ProcessEnv): string {
  const given = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return given === NO_PROXY_AT_ALL ? given : `${given},${LOOPBACK}`;
}

/** Rejects with an `Error` that says why there is no response, or with the reason of the signal. */
export async function sendRequest(request: HttpRequest, { url, headers }: Checked): Promise<HttpResponse> {
  const deadline = startDeadline(request.timeoutMs);
  try {
    const {
      statusCode,
      headers: head,
      body,
    } = await send(url, {
      method: request.method,
      headers: withDefaults(headers).flatMap(({ name, value }) => [name, value]),
      body: request.body ?? null,
      dispatcher: request.redirects === 'follow' ? following : agent,
      signal: AbortSignal.any([deadline.signal, ...(request.signal === undefined ? [] : [request.signal])]),
      ...{ throwOnMaxRedirect: true },
    });
    body.on('close', deadline.clear);
    return decode({ status: statusCode, headers: listHeaders(head), body }, request.method);
  } catch (error) {
    deadline.clear();
    throw withCause(error);
  }
}

function startDeadline(timeoutMs: number | undefined): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  if (timeoutMs === undefined) return { signal: controller.signal, clear: () => undefined };
  const expire = (): void => {
    controller.abort(new Error(`it took longer than ${timeoutMs} ms`));
  };
  if (timeoutMs === 0) expire();
  const timer = setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
    },
  };
}

function withDefaults(headers: readonly HttpHeader[]): HttpHeader[] {
  const defaults = [
    { name: 'accept', value: '*/*' },
    { name: 'accept-encoding', value: 'gzip' },
  ];
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  return [...headers, ...defaults.filter(({ name }) => !given.has(name))];
}

/** A name that came again stands again. */
function listHeaders(headers: IncomingHttpHeaders): HttpHeader[] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value) => ({ name: name.toLowerCase(), value })),
  );
}

/** Undoes the compression that was asked for, and takes away the headers that tell of it. */
function decode(response: HttpResponse, method: string): HttpResponse {
  const { status, headers, body } = response;
  // Whoever is not yet or no longer reading is told by the stream when he does.
  body.on('error', () => undefined);
  const encodings = headers.filter(({ name }) => name === 'content-encoding');
  const isCompressed = encodings.length === 1 && ['gzip', 'x-gzip'].includes(encodings[0]?.value.toLowerCase() ?? '');
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  if (!isCompressed || isEmpty) return response;
  return {
    status,
    headers: headers.filter(({ name }) => name !== 'content-encoding' && name !== 'content-length'),
    body: gunzip(body),
  };
}

function gunzip(body: Readable): Readable {
  return pipeline(body, createGunzip(), () => undefined);
}

/** What undici says of a failed connection is in the cause, if anywhere. */
function withCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.message === '') return error.errors[0];
  return error;
}
