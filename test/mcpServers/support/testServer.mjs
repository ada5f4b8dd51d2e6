/**
 * An MCP server of the SDK with what a bridge has to get right:
 *
 *   node testServer.mjs [name]            on standard input and output
 *   node testServer.mjs <name> http 0     over Streamable HTTP on a port of loopback; prints its address, and ends with its input
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [, , name = 'test', transport, port] = process.argv;
const sessions = new Map();
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

function createTestServer() {
  const server = new McpServer({ name, version: '1' });
  const isReading = { annotations: { readOnlyHint: true } };
  server.registerTool('echo', { inputSchema: { text: z.string() }, ...isReading }, (args) => text(args.text));
  server.registerTool('variable', { inputSchema: { name: z.string() }, ...isReading }, ({ name }) =>
    text(process.env[name]),
  );
  server.registerTool('header', { inputSchema: { name: z.string() }, ...isReading }, ({ name }, { requestInfo }) =>
    text(requestInfo.headers[name]),
  );
  server.registerTool('folder', {}, () => text(process.cwd()));
  server.registerTool('exit', {}, () => process.exit(3));
  server.registerTool('forget', {}, () => {
    sessions.clear();
    return text('forgotten');
  });
  server.registerTool('ask', {}, async (extra) => {
    const { content } = await server.server.createMessage(
      { messages: [{ role: 'user', content: { type: 'text', text: 'how much?' } }], maxTokens: 9 },
      { relatedRequestId: extra.requestId },
    );
    return text(content.text);
  });
  server.registerTool('grow', { inputSchema: { afterMs: z.number().default(50) } }, ({ afterMs }) => {
    // After the reply: told on no stream of a request.
    setTimeout(() => server.registerTool('grown', {}, () => text('new')), afterMs);
    return text('soon');
  });
  server.registerTool('count', { inputSchema: { to: z.number() } }, async ({ to }, { signal, sendNotification, _meta }) => {
    for (let progress = 1; progress <= to; progress++) {
      await delay(20);
      if (signal.aborted) {
        console.error(`stopped at ${to}`);
        return text('stopped');
      }
      const params = { progress, total: to, progressToken: _meta.progressToken };
      await sendNotification({ method: 'notifications/progress', params });
    }
    return text(to);
  });
  server.registerTool('break', {}, async ({ sessionId, sendNotification }) => {
    await sendNotification({ method: 'notifications/progress', params: { progress: 1, progressToken: 'none' } });
    const { response } = sessions.get(sessionId);
    while (!response.headersSent) await delay(5);
    response.end();
    return new Promise(() => undefined);
  });
  return server;
}

async function serve(request, response) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known === undefined && request.headers['mcp-session-id'] !== undefined) {
    response.writeHead(404).end();
    return;
  }
  const session = known ?? { transport: await createSession() };
  if (request.method === 'POST') session.response = response;
  await session.transport.handleRequest(request, response);
}

async function createSession() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, { transport }),
    onsessionclosed: (id) => {
      sessions.delete(id);
      console.error('a session was ended');
    },
  });
  await createTestServer().connect(transport);
  return transport;
}

console.error('the test server has started');
if (transport === 'http') {
  const host = createServer((request, response) => void serve(request, response));
  host.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${host.address().port}/mcp`));
  process.stdin.resume().on('end', () => process.exit());
} else {
  await createTestServer().connect(new StdioServerTransport());
}
