import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { COMMANDS, ITEM_KINDS } from '../contributions';
import { otherMachine, type RowContext, rowWords, sessionTitle, starterWords, stateWords } from '../sessionWords';
import { stateIcon } from './sessionIcon';

/** A row of the list. Its tooltip is made later, for the one row that is pointed at. */
export function createSessionItem(session: Session): vscode.TreeItem {
  const title = sessionTitle(session);
  const nowMs = Date.now();
  const { remoteName } = vscode.env;
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
  item.id = String(session.info.id);
  item.description = rowWords(session, { nowMs, remoteName }, vscode.l10n);
  item.iconPath = stateIcon(session);
  item.contextValue = itemKind(session);
  item.command = { command: COMMANDS.focusSession, title: vscode.l10n.t('Focus Session'), arguments: [session.info.id] };
  item.accessibilityInformation = { label: spokenWords(session, { nowMs, remoteName }) };
  return item;
}

/** What the row shows, in sentences rather than between dots. */
function spokenWords(session: Session, { nowMs, remoteName }: RowContext): string {
  const { l10n } = vscode;
  const remote = otherMachine(session, remoteName);
  const words = [sessionTitle(session), stateWords(session, nowMs, l10n), starterWords(session, l10n)];
  return remote === undefined
    ? l10n.t('Session {0}, {1}, started by {2}', ...words)
    : l10n.t('Session {0}, {1}, started by {2}, on {3}', ...words, remote);
}

function itemKind({ state, holder }: Session): string {
  if (state.kind === 'ended') return ITEM_KINDS.ended;
  return holder === 'user' ? ITEM_KINDS.held : ITEM_KINDS.shared;
}
