import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { COMMANDS, ITEM_KINDS } from '../contributions';
import { sessionTitle, starterWords, stateWords } from '../sessionWords';
import { stateIcon } from './sessionIcon';

/** A row of the list. Its tooltip is made later, for the one row that is pointed at. */
export function createSessionItem(session: Session): vscode.TreeItem {
  const title = sessionTitle(session);
  const words = stateWords(session, Date.now(), vscode.l10n);
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
  item.id = String(session.info.id);
  item.description = words;
  item.iconPath = stateIcon(session);
  item.contextValue = itemKind(session);
  item.command = { command: COMMANDS.focusSession, title: vscode.l10n.t('Focus Session'), arguments: [session.info.id] };
  const starter = starterWords(session, vscode.l10n);
  item.accessibilityInformation = { label: vscode.l10n.t('Session {0}, {1}, started by {2}', title, words, starter) };
  return item;
}

function itemKind({ state, holder }: Session): string {
  if (state.kind === 'ended') return ITEM_KINDS.ended;
  return holder === 'user' ? ITEM_KINDS.held : ITEM_KINDS.shared;
}
