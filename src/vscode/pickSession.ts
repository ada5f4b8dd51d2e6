import * as vscode from 'vscode';
import { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { inListOrder } from './listOrder';
import { rowWords, sessionTitle } from './sessionWords';
import { stateIcon } from './view/sessionIcon';

/**
 * The session a command is about: the one that it was given by the list (the session itself) or by a key binding (its id),
 * else the one that the user picks. `undefined`: there is none, or the user wants none.
 */
export async function pickSession(
  manager: SessionManager,
  given: unknown,
  { title, filter }: { readonly title: string; readonly filter: (session: Session) => boolean },
): Promise<Session | undefined> {
  if (given instanceof Session) return given;
  if (typeof given === 'number') {
    const lookup = manager.find(given);
    if (lookup.kind === 'found') return lookup.session;
    void vscode.window.showInformationMessage(vscode.l10n.t('Session {0} is no longer kept.', given));
    return undefined;
  }
  const sessions = inListOrder(manager.list()).filter(filter);
  if (sessions.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no such session at the moment.'));
    return undefined;
  }
  const context = { nowMs: Date.now(), remoteName: vscode.env.remoteName };
  const picked = await vscode.window.showQuickPick(
    sessions.map((session) => ({
      label: sessionTitle(session),
      description: rowWords(session, context, vscode.l10n),
      iconPath: stateIcon(session),
      session,
    })),
    { title, placeHolder: vscode.l10n.t('Select a session'), matchOnDescription: true },
  );
  return picked?.session;
}
