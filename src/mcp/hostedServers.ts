import type { McpServer } from './mcpServer';

/** An MCP server that is not ours, and that clients reach through us. */
export interface HostedServer {
  readonly name: string;
  /** What one client talks to. */
  createBridge(): McpServer;
}

export interface HostedServers {
  list(): readonly HostedServer[];
  find(name: string): HostedServer | undefined;
}
