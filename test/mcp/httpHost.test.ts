import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CLIENT_IDLE_MS } from '../../src/mcp/httpClients';
import { createManager } from '../support/startSession';
import { initializeBody, messageHeaders, send, startHttpClient, startHttpHost } from '../support/startHttpHost';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('the HTTP host', () => {
  it('serves the tools to a client of the SDK', async () => {
    const client = await startHttpClient(await startHttpHost());

    const { structured } = await client.exec('echo over http; exit 3');

    expect(structured).toMatchObject({ output: 'over http\n', exitCode: 3 });
  });

  it('serves several clients at once, which share the sessions', async () => {
    const host = await startHttpHost();
    const clients = await Promise.all([startHttpClient(host), startHttpClient(host), startHttpClient(host)]);

    const replies = await Promise.all(clients.map((client, index) => client.exec(`echo ${String(index)}`)));
    const lists = await Promise.all(clients.map((client) => client.list()));

    expect(replies.map(({ structured }) => structured.output)).toEqual(['0\n', '1\n', '2\n']);
    expect(lists.map((list) => list.length)).toEqual([3, 3, 3]);
  });

  it('answers many calls of one client at the same time', async () => {
    const client = await startHttpClient(await startHttpHost());

    const startMs = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.exec(`sleep 1; echo ${String(index)}`)),
    );

    expect(replies.map(({ structured }) => structured.output)).toEqual(
      Array.from({ length: 8 }, (_, index) => `${String(index)}\n`),
    );
    expect(performance.now() - startMs).toBeLessThan(6_000);
  });

  it('tells progress while a call waits', async () => {
    const client = await startHttpClient(await startHttpHost());
    const messages: (string | undefined)[] = [];

    await client.exec('echo busy; sleep 1.5', {}, { onprogress: ({ message }) => messages.push(message) });

    expect(messages).toEqual([expect.stringMatching(/busy$/)]);
  });

  it('ends the wait of a call whose connection breaks, and keeps the output for the next', async () => {
    const cwd = tempDir();
    const manager = createManager({ defaultCwd: () => cwd });
    const host = await startHttpHost(manager);
    const initialized = await send(host, { headers: messageHeaders(host), body: initializeBody() });
    const headers = { ...messageHeaders(host), 'Mcp-Session-Id': String(initialized.headers['mcp-session-id']) };
    const call = (id: number, name: string, args: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    const abort = new AbortController();
    const cmd = 'echo kept; until [ -e go ]; do sleep 0.02; done; echo more';
    const broken = fetch(host.url, {
      method: 'POST',
      headers,
      body: call(7, 'exec_command', { cmd, login: false, yield_time_ms: 60_000 }),
      signal: abort.signal,
    }).then((response) => response.text());
    const session = await until('it has printed', () => manager.list().find((one) => one.lastLine() === 'kept'));

    abort.abort();
    await expect(broken).rejects.toThrow();
    // By the time that later connections are answered, the end of the broken one has been seen.
    for (let id = 100; id < 103; id++)
      await send(host, { headers, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }) });
    writeFileSync(path.join(cwd, 'go'), '');
    await until('it has ended', () => session.state.kind === 'ended');
    const polled = await send(host, {
      headers,
      body: call(8, 'write_stdin', { session_id: session.info.id, chars: '', yield_time_ms: 0 }),
    });

    expect(polled.body).toContain('"output":"kept\\nmore\\n"');
  });

  it('forgets a client that says goodbye, and answers its id with 404 from then on', async () => {
    const host = await startHttpHost();
    const initialized = await send(host, { headers: messageHeaders(host), body: initializeBody() });
    const headers = { ...messageHeaders(host), 'Mcp-Session-Id': String(initialized.headers['mcp-session-id']) };

    const statuses = [
      (await send(host, { headers, body: PING })).status,
      (await send(host, { method: 'DELETE', headers })).status,
      (await send(host, { headers, body: PING })).status,
      (await send(host, { method: 'DELETE', headers })).status,
    ];

    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  it.each([
    ['an id that it never gave', { headers: { 'Mcp-Session-Id': 'nobody' }, body: PING }, 404],
    ['no id and no initialisation', { body: PING }, 400],
    ['another path', { path: '/', body: initializeBody() }, 404],
    ['a longer path', { path: '/mcp/more', body: initializeBody() }, 404],
    ['another method', { method: 'PUT', body: initializeBody() }, 405],
    ['another type of content', { headers: { 'Content-Type': 'text/plain' }, body: initializeBody() }, 415],
    ['a wish for another type of answer', { headers: { Accept: 'text/html' }, body: initializeBody() }, 406],
    ['JSON that is no message', { body: '5' }, 400],
  ])(
    'refuses a request with %s',
    async (_what, given: { headers?: object; path?: string; method?: string; body: string }, status) => {
      const host = await startHttpHost();

      const reply = await send(host, { ...given, headers: { ...messageHeaders(host), ...given.headers } });

      expect(reply.status).toBe(status);
    },
  );

  it('refuses a second initialisation of the same client', async () => {
    const host = await startHttpHost();
    const initialized = await send(host, { headers: messageHeaders(host), body: initializeBody(0) });
    const headers = { ...messageHeaders(host), 'Mcp-Session-Id': String(initialized.headers['mcp-session-id']) };

    const again = await send(host, { headers, body: initializeBody(1) });

    expect([initialized.status, again.status, JSON.parse(again.body).error.code]).toEqual([200, 400, -32600]);
  });

  it('makes room for a new client when forgotten ones fill it', async () => {
    const host = await startHttpHost();
    const ids: string[] = [];
    for (let count = 0; count <= 64; count++) {
      const { headers } = await send(host, { headers: messageHeaders(host), body: initializeBody() });
      ids.push(String(headers['mcp-session-id']));
    }

    const statuses = await Promise.all(
      [ids[0]!, ids[1]!, ids[64]!].map(
        async (id) => (await send(host, { headers: { ...messageHeaders(host), 'Mcp-Session-Id': id }, body: PING })).status,
      ),
    );

    expect(statuses).toEqual([404, 200, 200]);
  });

  it('forgets a client that has been idle for an hour, but not one with a request open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const manager = createManager();
    const host = await startHttpHost(manager);
    const initialized = await send(host, { headers: messageHeaders(host), body: initializeBody() });
    const idle = { ...messageHeaders(host), 'Mcp-Session-Id': String(initialized.headers['mcp-session-id']) };
    const busy = await startHttpClient(host);
    const pending = busy.exec('sleep 60', { yield_time_ms: 60_000 });
    await vi.waitUntil(() => manager.list().length === 1);

    vi.advanceTimersByTime(CLIENT_IDLE_MS - 1_000);
    const inTime = await send(host, { headers: idle, body: PING });
    vi.advanceTimersByTime(CLIENT_IDLE_MS + 60_000);
    const late = await send(host, { headers: idle, body: PING });

    expect([inTime.status, late.status]).toEqual([200, 404]);
    expect((await pending).structured.isRunning).toBe(true);
  });

  it('ends its connections when it closes, and leaves the sessions running', async () => {
    const manager = createManager();
    const host = await startHttpHost(manager);
    const client = await startHttpClient(host);
    const pending = client.exec('sleep 60', { yield_time_ms: 60_000 });
    pending.catch(() => undefined);
    const session = await until('it runs', () => manager.list()[0]);

    await host.close();

    await expect(fetch(host.url)).rejects.toThrow();
    expect(session.state.kind).toBe('running');
    await client.client.close();
  });
});
