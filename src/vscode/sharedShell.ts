import path from 'node:path';
import * as vscode from 'vscode';
import { DEFAULT_TERMINAL_SIZE } from '../session/terminal/terminalSize';
import type { SessionPlace } from '../session/sessionInfo';
import type { SessionManager } from '../session/sessionManager';
import type { SessionTabs } from './terminal/sessionTabs';

export interface SharedShellOptions {
  readonly manager: SessionManager;
  readonly tabs: SessionTabs;
}

/**
 * Starts a shell of the user's that agents can use as well, and shows it: in the environment that the command was `given`, else,
 * where there is a choice, in the one that they pick.
 */
export async function startSharedShell({ manager, tabs }: SharedShellOptions, given: unknown): Promise<void> {
  const { environments } = manager;
  const choices = environments.list();
  const named = choices.find((choice) => choice === given);
  const environment = named ?? (choices.length > 1 ? await pickEnvironment(choices) : choices[0]);
  if (environment === undefined && choices.length > 1) return;
  const isHere = environment?.kind === 'local';
  const result = await manager.start({
    command: undefined,
    environmentId: environment?.id,
    terminal: DEFAULT_TERMINAL_SIZE,
    title: vscode.l10n.t('Shared {0}', isHere ? path.basename(manager.defaultShell) : vscode.l10n.t('Shell')),
    startedBy: 'user',
  });
  if (result.kind === 'started') tabs.focus(result.session);
  else void vscode.window.showErrorMessage(result.failure.message);
}

async function pickEnvironment<T extends SessionPlace>(choices: readonly T[]): Promise<T | undefined> {
  const items = choices.map((choice) => ({ label: choice.id, description: choice.label, choice }));
  const title = vscode.l10n.t('New Shared Shell');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select an environment') });
  return picked?.choice;
}
