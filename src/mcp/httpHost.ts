/**
 * Serves MCP over Streamable HTTP to programs of this machine that were given the address and the token: agents in the same
 * window, and what the user configures. Each client has its own connection; sessions are shared. Knows no window.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isInitializeRequest, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log';
import { readJsonBody } from './httpBody';
import type { HttpClient, HttpClients } from './httpClients';
import { createToken } from './accessToken';
import { HttpGuard } from './httpGuard';
import { type HttpRefusal, refuse } from './httpRefusal';
import { HttpRoutes, type HttpRoutesOptions, serverPath, TOOLS_PATH } from './httpRoutes';
import { MAX_MESSAGE_BYTES } from './limits';

const LOOPBACK = '127.0.0.1';
const SESSION_NOT_FOUND: HttpRefusal = { status: 404, code: -32_001, message: 'Session not found: initialize again' };

export interface McpHttpHost {
  /** Where clients connect to, for example `http://127.0.0.1:40123/mcp`. */
  readonly url: string;
  /** Where they connect to for one of the other servers. */
  urlOf(name: string): string;
  /** What clients send as `Authorization: Bearer …`. A secret of this host: never log it. */
  readonly token: string;
  /** Whether anybody is connected to the tools: clients learn of changes from the connection. */
  hasClients(): boolean;
  /** Ends every connection and stops listening. Sessions go on. */
  close(): Promise<void>;
}

/** Starts listening on a free port of the loopback interface. Rejects when none can be had. */
export async function startMcpHttpHost(options: HttpRoutesOptions): Promise<McpHttpHost> {
  const server = createServer();
  const port = await listen(server);
  const token = createToken();
  const routes = new HttpRoutes(options);
  const guard = new HttpGuard(port, token);
  server.on('request', (request, response) => {
    const refusal = guard.findRefusal(request);
    const clients = refusal ?? routes.find(request);
    if ('status' in clients) {
      refuse(response, clients);
      return;
    }
    serve(request, response, clients).catch((error: unknown) => {
      handleFailure(error, response, options.log);
    });
  });
  return {
    url: `http://${LOOPBACK}:${port}${TOOLS_PATH}`,
    urlOf: (name) => `http://${LOOPBACK}:${port}${serverPath(name)}`,
    token,
    hasClients: () => routes.tools.size > 0,
    close: async () => {
      await routes.close();
      await stop(server);
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, clients: HttpClients): Promise<void> {
  const body = request.method === 'POST' ? await readJsonBody(request, MAX_MESSAGE_BYTES) : undefined;
  if (body?.kind === 'refused') {
    refuse(response, body.refusal);
    return;
  }
  const client = await findClient(request, body?.value, clients);
  if ('status' in client) {
    refuse(response, client);
    return;
  }
  track(client, response, body?.value);
  await client.transport.handleRequest(request, response, body?.value);
  // Its first message was not accepted, so nobody will ever find it again.
  if (client.transport.sessionId === undefined) await client.close();
}

async function findClient(
  request: IncomingMessage,
  message: unknown,
  clients: HttpClients,
): Promise<HttpClient | HttpRefusal> {
  const id = request.headers['mcp-session-id'];
  if (typeof id === 'string') return clients.find(id) ?? SESSION_NOT_FOUND;
  if (!messagesOf(message).some(isInitializeRequest)) {
    return { status: 400, message: 'Bad request: the Mcp-Session-Id header is missing; initialize first' };
  }
  return (await clients.create()) ?? { status: 503, message: 'Too many clients are connected' };
}

/** Keeps the books of a request: a client with one open is not idle, and a reply that nobody can receive is not waited for. */
function track(client: HttpClient, response: ServerResponse, message: unknown): void {
  client.openRequests++;
  client.lastUsedMs = performance.now();
  response.once('close', () => {
    client.openRequests--;
    client.lastUsedMs = performance.now();
    if (response.writableFinished) return;
    for (const call of messagesOf(message).filter(isJSONRPCRequest)) cancel(client, call.id);
  });
}

/** The connection broke before the reply: ends the wait, so that the output stays unread for the next call. */
function cancel({ transport }: HttpClient, requestId: string | number): void {
  const notification: JSONRPCMessage = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'the connection was closed before the reply' },
  };
  transport.onmessage?.(notification);
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function handleFailure(error: unknown, response: ServerResponse, log: Log): void {
  log.warn(`an HTTP request failed: ${String(error)}`);
  if (response.headersSent) response.destroy();
  else refuse(response, { status: 500, message: 'Internal error' });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    // What is still open belongs to clients that were closed above.
    server.closeAllConnections();
  });
}
