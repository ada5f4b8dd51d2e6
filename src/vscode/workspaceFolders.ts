/** What the folders of the window say about where commands start. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { EXEC_ENV_SCHEME } from './contributions';
import { idOfAuthority } from '../environment/idOfAuthority';

/** Where sessions on this machine start: in the first folder of the workspace that is here. */
export function firstFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder?.uri.fsPath ?? homedir();
}

/** The same for an environment elsewhere; `undefined` where no folder is one of its. */
export function firstFolderOf(environmentId: string): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(
    ({ uri }) => uri.scheme === EXEC_ENV_SCHEME && idOfAuthority(uri.authority, [environmentId]) === environmentId,
  );
  return folder?.uri.path;
}

/** The authority of the first folder, where that is one of an environment. */
export function leadingAuthority(): string | undefined {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.scheme === EXEC_ENV_SCHEME ? uri.authority : undefined;
}
