import { type Disposable, DisposableStore } from '../base/disposable';
import { type McpHttpHost, startMcpHttpHost } from '../mcp/httpHost';
import type { McpServerOptions } from '../mcp/mcpServer';
import type { McpServers } from '../mcpServers/mcpServers';
import { publishMcpServers } from './mcpPublication';
import { publishedTools } from './publishedTools';
import { toolListVersion } from './toolListVersion';

export interface ChatToolsOptions extends Omit<McpServerOptions, 'starter'> {
  /** Offered beside the tools. */
  readonly mcpServers: McpServers;
}

/**
 * The tools as the chat of the window has them: a server on loopback, and its publication. That is made at once: after a reload
 * VS Code offers the tools from memory, and a call of one is lost if there is no publication by the time of the activation.
 */
export class ChatTools implements Disposable {
  private readonly store = new DisposableStore();
  private readonly starting: Promise<McpHttpHost>;

  /** `ready`: when the server may start to listen. */
  constructor(options: ChatToolsOptions, extensionVersion: string, ready: Promise<void>) {
    const { manager, mcpServers, log } = options;
    const version = (): string => toolListVersion(extensionVersion, publishedTools(manager));
    this.starting = ready.then(() => startMcpHttpHost({ ...options, starter: 'chat' }));
    this.starting.catch((error: unknown) => {
      log.error('The MCP server could not start: chats cannot use Exec Sessions', error);
    });
    this.store.add(publishMcpServers({ host: this.starting, version, servers: mcpServers, log }));
  }

  /** Takes the tools back. */
  dispose(): void {
    this.store.dispose();
  }

  /** Ends the server; resolves when nothing is open any more. */
  async close(): Promise<void> {
    await this.starting.then(
      (host) => host.close(),
      // That it could not start was logged then; there is nothing to close.
      () => undefined,
    );
  }
}
