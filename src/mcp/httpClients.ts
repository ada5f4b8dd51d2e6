import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Log } from '../base/log';
import type { McpServer } from './mcpServer';

/** A client that has no request open and sent none for so long is taken for gone. If it is not, it gets 404 and starts anew. */
export const CLIENT_IDLE_MS = 60 * 60_000;
/** How often to look for such clients. */
const SWEEP_INTERVAL_MS = 60_000;
/** Far more clients than anyone runs; beyond it, something opens connections and forgets them, and the idlest one goes. */
export const MAX_CLIENTS = 64;

export interface HttpClient {
  readonly transport: StreamableHTTPServerTransport;
  /** Requests that are being answered, streams that stay open included. */
  openRequests: number;
  /** `performance.now()` of the last time that one began or ended. */
  lastUsedMs: number;
  close(): Promise<void>;
}

/** The clients of one server, by their MCP session id. */
export class HttpClients {
  private readonly clients = new Map<string, HttpClient>();
  private readonly sweepTimer: NodeJS.Timeout;

  /** `createServer`: for one client each. */
  constructor(
    private readonly createServer: () => McpServer,
    private readonly log: Log,
  ) {
    this.sweepTimer = setInterval(() => {
      this.closeIdle(performance.now() - CLIENT_IDLE_MS);
    }, SWEEP_INTERVAL_MS);
    this.sweepTimer.unref();
  }

  get size(): number {
    return this.clients.size;
  }

  find(id: string): HttpClient | undefined {
    return this.clients.get(id);
  }

  /** It is found by its id once it has initialised. `undefined` when there are too many already and all are busy. */
  async create(): Promise<HttpClient | undefined> {
    if (this.clients.size >= MAX_CLIENTS) await this.closeIdlest();
    if (this.clients.size >= MAX_CLIENTS) return undefined;
    const server = this.createServer();
    const client: HttpClient = {
      transport: new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          this.clients.set(id, client);
          this.log.debug(`MCP client connected over HTTP (${this.clients.size} in all)`);
        },
      }),
      openRequests: 0,
      lastUsedMs: performance.now(),
      close: () => server.close(),
    };
    client.transport.onclose = () => {
      if (client.transport.sessionId !== undefined) this.clients.delete(client.transport.sessionId);
    };
    await server.connect(client.transport);
    return client;
  }

  /** Closes those without an open request that were last used before `beforeMs` (a `performance.now()`). */
  closeIdle(beforeMs: number): void {
    for (const client of this.clients.values()) {
      if (client.openRequests === 0 && client.lastUsedMs < beforeMs) void this.closeOne(client);
    }
  }

  private async closeIdlest(): Promise<void> {
    const idle = [...this.clients.values()].filter(({ openRequests }) => openRequests === 0);
    const [idlest] = idle.sort((a, b) => a.lastUsedMs - b.lastUsedMs);
    if (idlest !== undefined) await this.closeOne(idlest);
  }

  async close(): Promise<void> {
    clearInterval(this.sweepTimer);
    await Promise.all([...this.clients.values()].map((client) => this.closeOne(client)));
  }

  private async closeOne(client: HttpClient): Promise<void> {
    try {
      await client.close();
    } catch (error) {
      this.log.warn(`an MCP client could not be closed: ${String(error)}`);
    }
  }
}
