import type { IncomingMessage } from 'node:http';
import type { HostedServer, HostedServers } from './hostedServers';
import { HttpClients } from './httpClients';
import type { HttpRefusal } from './httpRefusal';
import { createMcpServer, type McpServerOptions } from './mcpServer';

/** Where the tools are. */
export const TOOLS_PATH = '/mcp';
const SERVERS_PATH = '/servers/';

/** Where another server is. */
export function serverPath(name: string): string {
  return `${SERVERS_PATH}${name}`;
}

export interface HttpRoutesOptions extends McpServerOptions {
  /** Other servers that clients reach through the host, by the names in their addresses; default: none. */
  readonly mcpServers?: HostedServers;
}

/** The servers of a host, each with its clients, by the paths of their addresses. */
export class HttpRoutes {
  readonly tools: HttpClients;
  private readonly others = new Map<string, { readonly server: HostedServer; readonly clients: HttpClients }>();

  constructor(private readonly options: HttpRoutesOptions) {
    this.tools = new HttpClients(() => createMcpServer(options), options.log);
  }

  find({ url = '', method = '' }: IncomingMessage): HttpClients | HttpRefusal {
    const [path = ''] = url.split('?');
    const clients = path === TOOLS_PATH ? this.tools : this.findOther(path);
    if (clients === undefined) return { status: 404, message: `Not found: the endpoint is ${TOOLS_PATH}` };
    if (['POST', 'GET', 'DELETE'].includes(method)) return clients;
    return { status: 405, message: 'Method not allowed', headers: { Allow: 'GET, POST, DELETE' } };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all(
      [this.tools, ...[...this.others.values()].map(({ clients }) => clients)].map((clients) => clients.close()),
    );
  }

  private findOther(path: string): HttpClients | undefined {
    if (!path.startsWith(SERVERS_PATH)) return undefined;
    const name = path.slice(SERVERS_PATH.length);
    const server = this.options.mcpServers?.find(name);
    const known = this.others.get(name);
    if (known !== undefined && known.server === server) return known.clients;
    // It is gone, or another one has its name: its connections are closed by whoever took it away.
    void known?.clients.close();
    this.others.delete(name);
    if (server === undefined) return undefined;
    const clients = new HttpClients(() => server.createBridge(), this.options.log);
    this.others.set(name, { server, clients });
    return clients;
  }
}
