import * as vscode from 'vscode';
import type { Log } from '../base/log';
import type { McpHttpHost } from '../mcp/httpHost';
import type { McpServers } from '../mcpServers/mcpServers';
import { MCP_PROVIDER_ID } from './contributions';
import { onDidChangeTools } from './toolChanges';

const SERVER_LABEL = 'Exec Sessions';

export interface McpPublicationOptions {
  /** The server, once it listens. */
  readonly host: Promise<Pick<McpHttpHost, 'url' | 'urlOf' | 'token' | 'hasClients'>>;
  /** See `toolListVersion`; asked anew whenever the tools may have changed. */
  readonly version: () => string;
  /** Those that the host leads to besides. */
  readonly servers: Pick<McpServers, 'list' | 'onDidConfigure'>;
  readonly log: Log;
}

/**
 * Offers the window's MCP server to its chat, and beside it those that are reached through environments. VS Code remembers servers
 * and their tools over a reload, and asks for the address anew before it connects: only then does it get the token, which is good
 * for this activation. Nothing is asked of the user. A server that runs tells of changes itself: of another version of the tools
 * VS Code is told only while nobody is connected, since it would start the server anew for it, and end the calls that are under way.
 */
export function publishMcpServers({ host, version, servers, log }: McpPublicationOptions): vscode.Disposable {
  if (!hasMcpApi()) {
    log.warn('This editor has no MCP server definition API (VS Code has it since 1.101): its chat does not get the tools.');
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  let toldVersion = version();
  const define = ({ url, urlOf }: Awaited<typeof host>): vscode.McpHttpServerDefinition[] => [
    new vscode.McpHttpServerDefinition(SERVER_LABEL, vscode.Uri.parse(url), {}, toldVersion),
    ...servers.list().map((server) => {
      const uri = vscode.Uri.parse(urlOf(server.name));
      return new vscode.McpHttpServerDefinition(server.label, uri, {}, server.version);
    }),
  ];
  return vscode.Disposable.from(
    vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER_ID, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => define(await host),
      resolveMcpServerDefinition: async (definition: vscode.McpHttpServerDefinition) => {
        const { token } = await host;
        // Remembered from before a reload, it may have the port of then.
        const current = define(await host).find(({ label }) => label === definition.label);
        if (current === undefined) return undefined;
        current.headers = { Authorization: `Bearer ${token}` };
        return current;
      },
    }),
    servers.onDidConfigure(() => changed.fire()),
    onDidChangeTools(() => {
      // Whoever started the host says why there is none.
      host.then(({ hasClients }) => hasClients() || tellTools()).catch(() => undefined);
    }),
    changed,
  );

  function tellTools(): void {
    toldVersion = version();
    changed.fire();
  }
}

/** Not all editors that run extensions of VS Code have all of its API, whatever version they claim. */
function hasMcpApi(): boolean {
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  return lm?.registerMcpServerDefinitionProvider !== undefined;
}
