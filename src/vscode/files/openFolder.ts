import * as vscode from 'vscode';
import type { ServerEnvironment } from '../../environment/serverEnvironment';
import { connectEnvironment } from '../environments/connectEnvironment';
import { browseFolders } from './browseFolders';
import { environmentUri } from './environmentUri';

/** Lets the user choose a folder of the environment, and where to open it. */
export async function openFolder(environment: ServerEnvironment): Promise<void> {
  const { l10n } = vscode;
  if (environment.state.kind !== 'connected') await connectEnvironment(environment);
  if (environment.state.kind !== 'connected') return;
  const { cwd } = await environment.describe();
  const title = l10n.t('Open Folder in {0}', environment.id);
  const folder = await browseFolders({ title, files: environment.files, start: cwd });
  if (folder === undefined) return;
  const uri = environmentUri(environment.id, folder);
  const open = async (forceNewWindow: boolean): Promise<void> =>
    vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow });
  const places = [
    { label: l10n.t('Open in This Window'), run: () => open(false) },
    { label: l10n.t('Open in New Window'), run: () => open(true) },
    { label: l10n.t('Add to Workspace'), run: () => Promise.resolve(addFolder(uri, `${environment.id}:${folder}`)) },
  ];
  const place = await vscode.window.showQuickPick(places, { title: `${title} — ${folder}` });
  await place?.run();
}

function addFolder(uri: vscode.Uri, name: string): boolean {
  const count = vscode.workspace.workspaceFolders?.length ?? 0;
  return vscode.workspace.updateWorkspaceFolders(count, 0, { uri, name });
}
