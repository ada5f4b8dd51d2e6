import { readFileSync, readlinkSync, readdirSync, existsSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createLineLog } from '../../src/base/log';
import { MAX_MESSAGE_BYTES } from '../../src/mcp/limits';
import { initializeBody, messageHeaders, send, startHttpClient, startHttpHost } from '../support/startHttpHost';
import { createManager } from '../support/startSession';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('a request over HTTP', () => {
  it.each([
    ['of another host', { Host: 'evil.com' }],
    ['of another host on our port', { Host: 'evil.com:PORT' }],
    ['of this machine without our port', { Host: '127.0.0.1' }],
    ['of this machine with another port', { Host: '127.0.0.1:1' }],
    ['of a name that only begins like ours', { Host: 'localhost:PORT.evil.com' }],
    ['of all interfaces', { Host: '0.0.0.0:PORT' }],
    ['from a web page', { Origin: 'https://evil.com' }],
    ['from a file or a sandboxed frame', { Origin: 'null' }],
    ['from another server on this machine', { Origin: 'http://localhost:1' }],
    ['from an origin with our address and another scheme', { Origin: 'https://127.0.0.1:PORT' }],
    ['from a web view', { Origin: 'vscode-webview://abc' }],
    ['with an empty origin', { Origin: '' }],
  ])('is forbidden %s, even with the token', async (_what, headers) => {
    const host = await startHttpHost();
    const { port } = new URL(host.url);
    const forged = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]));

    const replies = await Promise.all(
      ['POST', 'GET', 'DELETE', 'OPTIONS'].map((method) =>
        send(host, {
          method,
          headers: { ...messageHeaders(host), ...forged },
          ...(method === 'POST' && { body: initializeBody() }),
        }),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(replies.filter(({ headers: sent }) => 'access-control-allow-origin' in sent)).toEqual([]);
  });

  it.each([
    ['no token', {}, 'Bearer'],
    ['an empty token', { Authorization: 'Bearer ' }, 'Bearer'],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 'Bearer error="invalid_token"'],
    ['a token that ours begins with', { Authorization: 'Bearer PREFIX' }, 'Bearer error="invalid_token"'],
    ['another scheme', { Authorization: 'Basic TOKEN' }, 'Bearer'],
    ['the token without a scheme', { Authorization: 'TOKEN' }, 'Bearer'],
  ])('is unauthorised with %s', async (_what, headers, challenge) => {
    const host = await startHttpHost();
    const fill = (value: string): string => value.replace('TOKEN', host.token).replace('PREFIX', host.token.slice(0, -1));
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));

    const reply = await send(host, { headers: { 'Content-Type': 'application/json', ...given }, body: initializeBody() });

    expect({ status: reply.status, challenge: reply.headers['www-authenticate'] }).toEqual({ status: 401, challenge });
    expect(reply.body).not.toContain(host.token);
  });

  it('is refused by host and origin before the token is looked at', async () => {
    const host = await startHttpHost();

    const replies = await Promise.all([
      send(host, { headers: { Host: 'evil.com' } }),
      send(host, { headers: { Origin: 'https://evil.com' } }),
      send(host, { path: '/other', headers: {} }),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  it.each([
    ['127.0.0.1', (port: string) => ({ Host: `127.0.0.1:${port}` })],
    ['localhost', (port: string) => ({ Host: `localhost:${port}` })],
    ['our own origin', (port: string) => ({ Origin: `http://127.0.0.1:${port}` })],
    ['the scheme in small letters', () => ({})],
  ])('passes with the token and %s', async (what, headersOf) => {
    const host = await startHttpHost();
    const headers: Record<string, string> = { ...messageHeaders(host), ...headersOf(new URL(host.url).port) };
    if (what.startsWith('the scheme')) headers['Authorization'] = `bearer ${host.token}`;

    const reply = await send(host, { headers, body: initializeBody() });

    expect(reply.status).toBe(200);
  });

  it('has a token of its own in each activation, long enough not to be guessed', async () => {
    const [first, second] = [await startHttpHost(), await startHttpHost()];

    const reply = await send(second, { headers: { ...messageHeaders(first) }, body: initializeBody() });

    expect({ status: reply.status, bytes: Buffer.from(first.token, 'base64url').length }).toEqual({
      status: 401,
      bytes: 24,
    });
  });

  it('never leaves the token in the log', async () => {
    const lines: string[] = [];
    const host = await startHttpHost(
      createManager(),
      createLineLog('trace', (line) => lines.push(line)),
    );
    const client = await startHttpClient(host);
    await client.exec('true');
    await send(host, { headers: { ...messageHeaders(host), 'Mcp-Session-Id': 'unknown' }, body: PING });
    await send(host, { headers: messageHeaders(host), body: '{' });

    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(host.token))).toEqual([]);
  });
});

describe('the body of a request', () => {
  it('is refused when it says that it is too large, before it is sent', async () => {
    const host = await startHttpHost();
    const headers = { ...messageHeaders(host), 'Content-Length': String(MAX_MESSAGE_BYTES + 1) };

    const status = await new Promise((resolve, reject) => {
      const outgoing = request(host.url, { method: 'POST', headers, agent: false }, (response) => {
        resolve(response.statusCode);
        outgoing.destroy();
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });

    expect(status).toBe(413);
  });

  it('is refused when it turns out to be too large', async () => {
    const host = await startHttpHost();
    const headers = { ...messageHeaders(host), 'Transfer-Encoding': 'chunked' };

    const status = await new Promise((resolve) => {
      const outgoing = request(host.url, { method: 'POST', headers, agent: false }, (response) => {
        resolve(response.statusCode);
      });
      // The server may close the connection while the rest is still being sent.
      outgoing.on('error', () => undefined);
      const chunk = Buffer.alloc(64 * 1_024, ' ');
      for (let sent = 0; sent <= MAX_MESSAGE_BYTES; sent += chunk.length) outgoing.write(chunk);
      outgoing.end();
    });

    expect(status).toBe(413);
  });

  it('passes up to the limit', async () => {
    const host = await startHttpHost();
    const body = initializeBody();

    const reply = await send(host, {
      headers: messageHeaders(host),
      body: body + ' '.repeat(MAX_MESSAGE_BYTES - Buffer.byteLength(body)),
    });

    expect(reply.status).toBe(200);
  });

  it('is answered with a parse error when it is not JSON', async () => {
    const host = await startHttpHost();

    const reply = await send(host, { headers: messageHeaders(host), body: '{"jsonrpc": ' });

    expect({ status: reply.status, body: JSON.parse(reply.body) }).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the body is not JSON' } },
    });
  });
});

describe('the server', () => {
  it.skipIf(!existsSync('/proc/net/tcp'))('listens on the loopback interface and nowhere else', async () => {
    const before = listeningAddresses();
    const host = await startHttpHost();

    const { port } = new URL(host.url);
    const added = listeningAddresses().filter((address) => !before.includes(address));

    expect(added).toEqual([`127.0.0.1:${port}`]);
  });

  it('cannot be reached by another address of this machine', async () => {
    const host = await startHttpHost();
    const { port } = new URL(host.url);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');

    const reached = await Promise.all(
      others.map(({ address }) =>
        fetch(`http://${address}:${port}/mcp`).then(
          () => address,
          () => undefined,
        ),
      ),
    );

    expect(reached.filter((address) => address !== undefined)).toEqual([]);
  });
});

/** Every TCP socket on which this process listens, as `address:port`. */
function listeningAddresses(): string[] {
  const LISTEN = '0A';
  const ours = new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => {
      // The descriptor of the listing itself is gone by now.
      if (!existsSync(`/proc/self/fd/${fd}`)) return [];
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
    }),
  );
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => {
    if (!existsSync(file)) return [];
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTEN && ours.has(inode ?? ''))
      .map(([, local]) => decodeAddress(local ?? ''));
  });
}

/** `0100007F:1F90` is 127.0.0.1:8080: the address in the byte order of the machine, the port not. */
function decodeAddress(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = [...Buffer.from(address, 'hex')];
  return `${bytes.length === 4 ? bytes.reverse().join('.') : address}:${String(Number.parseInt(port, 16))}`;
}
