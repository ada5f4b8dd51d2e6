/** A server on loopback with an answer for each thing that an HTTP client has to get right. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface HttpServerUnderTest {
  /** Without a slash at its end. */
  readonly origin: string;
  /** Requests whose answer has not ended. */
  openRequests(): number;
  /** Bytes of `/flood` that were handed to the system so far. */
  floodedBytes(): number;
}

/** A prime, so that a part that is lost or moved shows. */
const PERIOD = 251;
const FLOOD_PART_BYTES = PERIOD * 256;

/** Of what `/flood/<bytes>` sends: the SHA-256, in hexadecimal digits. */
export function floodDigest(length: number): string {
  const digest = createHash('sha256');
  for (const part of floodParts(length)) digest.update(part);
  return digest.digest('hex');
}

function* floodParts(length: number): Generator<Buffer> {
  const part = Buffer.alloc(FLOOD_PART_BYTES, Buffer.from(Array.from({ length: PERIOD }, (_, index) => index)));
  for (let sent = 0; sent < length; sent += part.length) yield part.subarray(0, length - sent);
}

/** Nothing listens there. */
export const REFUSING_ORIGIN = 'http://127.0.0.1:1';

export async function startHttpServer(): Promise<HttpServerUnderTest> {
  let open = 0;
  let flooded = 0;
  const flood = function* (length: number): Generator<Buffer> {
    for (const part of floodParts(length)) {
      flooded += part.length;
      yield part;
    }
  };
  const server = createServer((request, response) => {
    open++;
    response.once('close', () => open--);
    const [, route = '', argument = ''] = (request.url ?? '').split('/');
    const handle = routes[route];
    if (route === 'flood') pipeline(Readable.from(flood(Number(argument))), response, () => undefined);
    else if (handle === undefined) respond(response, { status: 404, body: 'nope' });
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${String(port)}`, openRequests: () => open, floodedBytes: () => flooded };
}

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

const routes: Partial<Record<string, Route>> = {
  hello: (_request, response) => {
    const headers = ['X-A', '1', 'X-A', '2', 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Content-Length', '5'];
    response.writeHead(200, headers).end('hello');
  },
  /** What came: the method, the names of the headers, the body. */
  echo: async (request, response) => {
    const names = request.rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
    respond(response, { status: 201, body: JSON.stringify({ m: request.method, h: names, b: await readText(request) }) });
  },
  headers: ({ headers }, response) => response.end(JSON.stringify(headers)),
  redir: (_request, response) => respond(response, { status: 302, location: '/hello', body: 'redirecting' }),
  'redir-echo': (_request, response) => respond(response, { status: 302, location: '/echo' }),
  /** To the same server by another name. */
  'redir-away': ({ headers }, response) => {
    const location = `http://${String(headers.host).replace('127.0.0.1', 'localhost')}/headers`;
    respond(response, { status: 307, location });
  },
  loop: (_request, response) => respond(response, { status: 302, location: '/loop' }),
  /** To itself, by an address that is longer each time. */
  far: ({ url }, response) => respond(response, { status: 302, location: `${url ?? ''}/on` }),
  slow: async (_request, response) => {
    await delay(2_000);
    response.end('slow');
  },
  empty: (_request, response) => response.writeHead(204).end(),
  gzip: (_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('zipped')),
  abort: async ({ socket }, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('partial');
    await delay(100);
    socket.destroy();
  },
  /** Events with pauses between them. */
  stream: async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const number of [0, 1, 2]) {
      response.write(`data: ${String(number)}\n\n`);
      await delay(100);
    }
    response.end();
  },
  /** Never ends. */
  slowstream: async (_request, response) => {
    response.write('a');
    while (!response.destroyed) {
      await delay(100);
      response.write('.');
    }
  },
};

interface Answer {
  readonly status: number;
  readonly location?: string;
  readonly body?: string;
}

/** With the length of the body in the head. */
function respond(response: ServerResponse, { status, location, body = '' }: Answer): void {
  response.statusCode = status;
  if (location !== undefined) response.setHeader('Location', location);
  response.end(body);
}

async function readText(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
