import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { McpHttpHost } from '../../../src/mcp/httpHost';

export interface StandIn {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/**
 * Between a host and a client that can neither send a token nor knows the names of our tools: adds the token, and turns calls of
 * the tools that `standIns` names into calls of ours. All else passes unchanged, forged headers too. Returns its address.
 */
export async function startAuthorizingProxy(host: McpHttpHost, standIns: Record<string, StandIn>): Promise<string> {
  const target = new URL(host.url);
  const proxy: Server = createServer((incoming, response) => {
    void readBody(incoming).then((received) => {
      const body = replaceTool(received, standIns);
      const outgoing = request({
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: {
          ...translate(incoming.headers, portOf(proxy), target.host),
          authorization: `Bearer ${host.token}`,
          ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
        },
      });
      outgoing.on('response', (reply) => {
        response.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      outgoing.end(body);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${portOf(proxy)}${target.pathname}`;
}

function portOf(server: Server): string {
  return String((server.address() as AddressInfo).port);
}

/** Headers that name the proxy name the host instead; those that name somebody else stay as they are. */
function translate({ host, origin, ...rest }: IncomingHttpHeaders, port: string, targetHost: string): IncomingHttpHeaders {
  const own = new RegExp(`^(http://)?(127\\.0\\.0\\.1|localhost):${port}$`);
  return {
    ...rest,
    ...(host !== undefined && { host: host.replace(own, targetHost) }),
    ...(origin !== undefined && { origin: origin.replace(own, `http://${targetHost}`) }),
  };
}

function replaceTool(body: string, standIns: Record<string, StandIn>): string {
  if (body === '') return body;
  const message = JSON.parse(body) as { method?: string; params?: { name?: string } };
  const standIn = message.method === 'tools/call' ? standIns[message.params?.name ?? ''] : undefined;
  return standIn === undefined ? body : JSON.stringify({ ...message, params: { ...message.params, ...standIn } });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
