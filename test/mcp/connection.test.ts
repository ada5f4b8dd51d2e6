import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { nullLog } from '../support/nullLog';
import { createMcpServer } from '../../src/mcp/mcpServer';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

/** Half of what a wait may outlive its call: what is measured includes the client and its transport. */
const PROMPT_MS = 500;

describe('a connection', () => {
  it('is initialised once: a second time is an invalid request, and the first stays in force', async () => {
    const [client, server] = InMemoryTransport.createLinkedPair();
    const answers: JSONRPCMessage[] = [];
    client.onmessage = (message) => answers.push(message);
    await client.start();
    const initialize = (id: number): JSONRPCMessage => ({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    // Sent before the server is there: what waits for it must not slip past the check.
    await client.send(initialize(0));
    await createMcpServer({ manager: createManager(), log: nullLog, starter: 'chat' }).connect(server);

    await client.send(initialize(1));
    await client.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await until('all three are answered', () => answers.length === 3);

    expect([...answers].sort((a, b) => Number('id' in a && a.id) - Number('id' in b && b.id))).toEqual([
      { jsonrpc: '2.0', id: 0, result: expect.objectContaining({ protocolVersion: '2025-06-18' }) },
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'initialize called more than once' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });

  it('keeps what a client has seen apart from what others have seen', async () => {
    const manager = createManager();
    const [first, second] = [await startClient(manager), await startClient(manager)];
    const { structured } = await first.exec('echo shared');

    const seen = await second.poll(structured.sessionId);

    expect([structured.output, seen.structured.output]).toEqual(['shared\n', 'shared\n']);
  });

  it('ends without ending the sessions that it started', async () => {
    const manager = createManager();
    const [first, second] = [await startClient(manager), await startClient(manager)];
    const { structured } = await first.exec('sleep 60', { yield_time_ms: 0 });

    await first.client.close();

    expect((await second.list()).map(({ sessionId, isRunning }) => ({ sessionId, isRunning }))).toEqual([
      { sessionId: structured.sessionId, isRunning: true },
    ]);
  });
});

describe('a call that is taken back', () => {
  /** Does not wait for its terminal, which would end the wait of a call; goes on once there is a file `go`. */
  const waitForGo = 'until [ -e go ]; do sleep 0.02; done';

  it('ends its wait at once, leaves the session alone, and leaves all output to the next poll', async () => {
    const cwd = tempDir();
    const manager = createManager({ defaultCwd: () => cwd });
    const client = await startClient(manager);
    const abort = new AbortController();
    const id = await client.execUntil(`echo ready; ${waitForGo}; echo kept; sleep 60`, 'ready');
    const pending = client.poll(id, { yield_time_ms: 60_000 }, { signal: abort.signal });
    writeFileSync(path.join(cwd, 'go'), '');
    await until('it has printed', () => manager.list()[0]!.lastLine() === 'kept');

    const startMs = performance.now();
    abort.abort();
    await expect(pending).rejects.toThrow();
    const polled = await client.poll(id, { yield_time_ms: 0 });
    const tookMs = performance.now() - startMs;

    expect(tookMs).toBeLessThan(PROMPT_MS);
    expect(polled.structured).toMatchObject({ output: 'kept\n', isRunning: true });
  });

  it('is over on the server too: the end of the session is left to the next poll', async () => {
    const cwd = tempDir();
    const manager = createManager({ defaultCwd: () => cwd });
    const client = await startClient(manager);
    const abort = new AbortController();
    const pending = client.exec(`${waitForGo}; echo end`, { yield_time_ms: 60_000 }, { signal: abort.signal });
    const session = await until('it runs', () => manager.list()[0]);

    abort.abort();
    await expect(pending).rejects.toThrow();
    writeFileSync(path.join(cwd, 'go'), '');
    await until('it has ended', () => session.state.kind === 'ended');
    const { structured } = await client.poll(session.info.id);

    expect(structured).toMatchObject({ output: 'end\n', exitCode: 0 });
  });
});

describe('progress', () => {
  it('is told about once a second to a client that asks for it, with the last line of output', async () => {
    const client = await startClient();
    const told: { progress: number; message?: string }[] = [];

    await client.exec(
      'echo working; sleep 2.5',
      { yield_time_ms: 60_000 },
      { onprogress: ({ progress, message }) => told.push({ progress, message: message! }) },
    );

    expect(told.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^1\.\d s: working$/),
      expect.stringMatching(/^2\.\d s: working$/),
    ]);
    expect(told[1]!.progress).toBeGreaterThan(told[0]!.progress);
  });

  it('is not told to a client that does not ask', async () => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    const methods: (string | undefined)[] = [];
    clientEnd.onmessage = (message) => methods.push('method' in message ? message.method : undefined);
    await clientEnd.start();
    await createMcpServer({ manager: createManager(), log: nullLog, starter: 'chat' }).connect(serverEnd);
    const cmd = 'sleep 1.2';

    await clientEnd.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'exec_command', arguments: { cmd } },
    });
    await until('it is answered', () => methods.includes(undefined));

    expect(methods.filter((method) => method !== 'notifications/resources/list_changed')).toEqual([undefined]);
  });
});
