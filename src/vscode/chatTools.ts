import { type Disposable, DisposableStore } from '../base/disposable';
import { type McpHttpHost, startMcpHttpHost } from '../mcp/httpHost';
import type { McpServerOptions } from '../mcp/mcpServer';
import { publishMcpServer } from './mcpPublication';
import { publishedTools } from './publishedTools';
import { toolListVersion } from './toolListVersion';

/** The tools as the chat of the window has them: a server on loopback, and its publication once it listens. */
export class ChatTools implements Disposable {
  private readonly store = new DisposableStore();
  private readonly starting: Promise<McpHttpHost>;

  constructor(options: Omit<McpServerOptions, 'starter'>, extensionVersion: string) {
    const { manager, log } = options;
    const version = (): string => toolListVersion(extensionVersion, publishedTools(manager));
    this.starting = startMcpHttpHost({ ...options, starter: 'chat' });
    this.starting.then(
      (host) => this.store.add(publishMcpServer({ host, version, log })),
      (error: unknown) => log.error('The MCP server could not start: chats cannot use Exec Sessions', error),
    );
  }

  /** Takes the tools back; what is disposed before the server listens is never published. */
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
