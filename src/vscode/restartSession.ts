import * as vscode from 'vscode';
import type { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { sessionTitle } from './sessionWords';
import { requireTrust } from './trust';

/**
 * Runs the session's command again, in a session of the user's own. One that still runs is ended first, once the user has agreed.
 * `undefined`: nothing was started, and the user knows why.
 */
export async function restartSession(manager: SessionManager, session: Session): Promise<Session | undefined> {
  if (!(await requireTrust()) || !(await endFirst(session))) return undefined;
  const result = await manager.restart(session, 'user');
  if (result.kind === 'started') return result.session;
  void vscode.window.showErrorMessage(result.failure.message);
  return undefined;
}

async function endFirst(session: Session): Promise<boolean> {
  if (session.state.kind === 'ended') return true;
  const question = vscode.l10n.t('End "{0}" and start it again? It is still running.', sessionTitle(session));
  const restart = vscode.l10n.t('End and Restart');
  if ((await vscode.window.showWarningMessage(question, { modal: true }, restart)) !== restart) return false;
  await session.terminate('user');
  return true;
}
