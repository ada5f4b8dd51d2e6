import * as vscode from 'vscode';

/** Opens the editor in which the user decides about the workspace; a command of VS Code. */
const MANAGE_TRUST_COMMAND = 'workbench.trust.manage';

/** Runs `start` once the workspace is trusted: now, or when the user says so. */
export function whenTrusted(start: () => void): vscode.Disposable {
  if (!vscode.workspace.isTrusted) return vscode.workspace.onDidGrantWorkspaceTrust(start);
  start();
  return new vscode.Disposable(() => undefined);
}

/** Whether something may be run here; where not, the user is told why and what to do. */
export async function requireTrust(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const message = vscode.l10n.t('Exec Sessions runs nothing in a workspace that you have not trusted.');
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand(MANAGE_TRUST_COMMAND);
  }
  return vscode.workspace.isTrusted;
}
