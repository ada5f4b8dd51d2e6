import { request } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import type { Log } from '../../src/base/log';
import { nullLog } from './nullLog';
import { type McpHttpHost, startMcpHttpHost } from '../../src/mcp/httpHost';
import type { SessionManager } from '../../src/session/sessionManager';
import { connectClient, type ToolClient } from './startClient';
import { createManager } from './startSession';

export async function startHttpHost(manager: SessionManager = createManager(), log: Log = nullLog): Promise<McpHttpHost> {
  const host = await startMcpHttpHost({ manager, log, starter: 'chat' });
  onTestFinished(() => host.close());
  return host;
}

/** A client of the official SDK, over a real socket. */
export async function startHttpClient({ url, token }: McpHttpHost): Promise<ToolClient> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  return connectClient(transport);
}

export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface HttpReply {
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** One request exactly as given, also with headers that a browser or the SDK would not send. */
export function send(
  { url }: McpHttpHost,
  { method = 'POST', path = '/mcp', headers = {}, body }: HttpRequest,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** What a client has to send with every message. */
export function messageHeaders({ token }: McpHttpHost): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
}

export function initializeBody(id: number | string = 0): string {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
}
