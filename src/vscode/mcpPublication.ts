import * as vscode from 'vscode';
import type { Log } from '../base/log';
import type { McpHttpHost } from '../mcp/httpHost';
import { MCP_PROVIDER_ID } from './contributions';
import { onDidChangeTools } from './toolChanges';

const SERVER_LABEL = 'Exec Sessions';

export interface McpPublicationOptions {
  /** The server, once it listens. */
  readonly host: Promise<Pick<McpHttpHost, 'url' | 'token' | 'hasClients'>>;
  /** See `toolListVersion`; asked anew whenever the tools may have changed. */
  readonly version: () => string;
  readonly log: Log;
}

/**
 * Offers the window's MCP server to its chat. VS Code remembers servers and their tools over a reload, and asks for the
 * address anew before it connects: only then does it get the token, which is good for this activation. Nothing is asked of
 * the user. A server that runs tells of changes itself: of another version VS Code is told only while nobody is connected, since
 * it would start the server anew for it, and end the calls that are under way.
 */
export function publishMcpServer({ host, version, log }: McpPublicationOptions): vscode.Disposable {
  if (!hasMcpApi()) {
    log.warn('This editor has no MCP server definition API (VS Code has it since 1.101): its chat does not get the tools.');
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  const define = (url: string, headers: Record<string, string> = {}): vscode.McpHttpServerDefinition =>
    new vscode.McpHttpServerDefinition(SERVER_LABEL, vscode.Uri.parse(url), headers, version());
  return vscode.Disposable.from(
    vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER_ID, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => [define((await host).url)],
      resolveMcpServerDefinition: async () => {
        const { url, token } = await host;
        return define(url, { Authorization: `Bearer ${token}` });
      },
    }),
    onDidChangeTools(() => {
      // Whoever started the host says why there is none.
      host.then(({ hasClients }) => hasClients() || changed.fire()).catch(() => undefined);
    }),
    changed,
  );
}

/** Not all editors that run extensions of VS Code have all of its API, whatever version they claim. */
function hasMcpApi(): boolean {
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  return lm?.registerMcpServerDefinitionProvider !== undefined;
}
