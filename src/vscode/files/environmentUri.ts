import * as vscode from 'vscode';
import { EXEC_ENV_SCHEME } from '../contributions';

/** The address of a file or folder of an environment; `path` is absolute, in the form of POSIX. */
export function environmentUri(environmentId: string, path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: EXEC_ENV_SCHEME, authority: environmentId, path });
}
