import * as vscode from 'vscode';
import type { ReachableServer } from '../../mcpServers/mcpServers';
import { MCP_COMMANDS, MCP_SERVER_KIND } from '../contributions';
import { serverRowWords, spokenServerWords } from './mcpServerWords';

/** A row below the environment of the server; a click leads to its log. */
export function createMcpServerItem(server: ReachableServer): vscode.TreeItem {
  const { l10n } = vscode;
  const { name, state } = server;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `mcpServer ${name}`;
  item.description = serverRowWords(state, l10n);
  item.iconPath = serverIcon(server);
  item.contextValue = MCP_SERVER_KIND;
  item.tooltip = spokenServerWords(name, state, l10n);
  item.accessibilityInformation = { label: item.tooltip };
  item.command = { command: MCP_COMMANDS.showLog, title: l10n.t('Show MCP Server Log'), arguments: [server] };
  return item;
}

function serverIcon({ state }: ReachableServer): vscode.ThemeIcon {
  if (state.kind === 'failed') return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return new vscode.ThemeIcon(state.kind === 'idle' ? 'circle-outline' : 'mcp');
}
