import * as vscode from 'vscode';
import { ReachableServer } from '../../mcpServers/mcpServers';
import { MCP_COMMANDS } from '../contributions';
import type { ReachedServers } from './reachedServers';

/** Registers the command that shows the log of the server that it was chosen on, or that the user picks. */
export function registerShowMcpServerLog({ servers, channels }: ReachedServers): vscode.Disposable {
  return vscode.commands.registerCommand(MCP_COMMANDS.showLog, async (argument: unknown) => {
    const name = argument instanceof ReachableServer ? argument.name : await pickName(servers.list());
    if (name !== undefined) channels.show(name);
  });
}

async function pickName(servers: readonly ReachableServer[]): Promise<string | undefined> {
  const choices = servers.map(({ name, label }) => ({ label, name }));
  const title = vscode.l10n.t('Show MCP Server Log');
  return (await vscode.window.showQuickPick(choices, { title }))?.name;
}
