import * as vscode from 'vscode';
import type { EnvironmentManager, Machine } from '../../environment/environmentManager';
import { idOfAuthority } from '../../environment/idOfAuthority';

/** The environment of an address. Throws where there is none, and where nothing may be run that leads there. */
export function requireMachine(environments: EnvironmentManager, { authority }: vscode.Uri): Machine {
  if (!vscode.workspace.isTrusted) {
    throw vscode.FileSystemError.Unavailable(
      vscode.l10n.t('Exec Sessions reaches no other machine from a workspace that you have not trusted.'),
    );
  }
  const ids = environments.list().map(({ id }) => id);
  const found = environments.find(idOfAuthority(authority, ids) ?? authority);
  if (found.kind === 'found') return found.environment;
  throw vscode.FileSystemError.Unavailable(found.failure.message);
}
