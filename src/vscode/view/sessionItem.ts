import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { SessionState } from '../../session/sessionState';
import { COMMANDS, ITEM_KINDS } from '../contributions';
import { sessionTitle, stateWords } from '../sessionWords';

/** A row of the list. Its tooltip is made later, for the one row that is pointed at. */
export function createSessionItem(session: Session): vscode.TreeItem {
  const title = sessionTitle(session);
  const words = stateWords(session, Date.now(), vscode.l10n);
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
  item.id = String(session.info.id);
  item.description = words;
  item.iconPath = stateIcon(session);
  item.contextValue = session.state.kind === 'running' ? ITEM_KINDS.running : ITEM_KINDS.ended;
  item.command = { command: COMMANDS.focusSession, title: vscode.l10n.t('Focus Session'), arguments: [session.info.id] };
  item.accessibilityInformation = { label: vscode.l10n.t('Session {0}, {1}', title, words) };
  return item;
}

export function createSessionTooltip(session: Session): vscode.MarkdownString {
  const { info } = session;
  const tooltip = new vscode.MarkdownString();
  if (info.command !== undefined) tooltip.appendCodeblock(info.command, 'shellscript');
  const startedBy = info.startedBy === 'user' ? vscode.l10n.t('you') : vscode.l10n.t('an agent');
  const facts: readonly (readonly [string, string])[] = [
    [vscode.l10n.t('State'), stateWords(session, Date.now(), vscode.l10n)],
    [vscode.l10n.t('Folder'), info.cwd],
    [vscode.l10n.t('Shell'), info.shell],
    [vscode.l10n.t('Started by'), `${startedBy}, ${new Date(info.startedAt).toLocaleTimeString()}`],
    [vscode.l10n.t('Session'), String(info.id)],
    [vscode.l10n.t('Process'), String(session.pid)],
  ];
  for (const [name, value] of facts) {
    tooltip.appendMarkdown(`**${name}:** `).appendText(value).appendMarkdown('  \n');
  }
  return tooltip;
}

export function stateIcon({ info, state }: Session): vscode.ThemeIcon {
  if (state.kind === 'ended') return endIcon(state);
  // A shell that waits for its next command is not at work.
  return new vscode.ThemeIcon(info.command === undefined ? 'terminal' : 'loading~spin');
}

function endIcon({ reason, status }: Extract<SessionState, { readonly kind: 'ended' }>): vscode.ThemeIcon {
  if (reason !== 'exited' && reason !== 'signal') return new vscode.ThemeIcon('circle-slash');
  const hasSucceeded = status?.kind === 'code' && status.code === 0;
  return hasSucceeded
    ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
}
