import * as vscode from 'vscode';
import type { SessionState } from '../../session/sessionState';
import { type ActiveSession, activityOf } from '../activity';

/** What to see at a glance in the list and in pickers: the state, with colour only for what ended or wants something. */
export function stateIcon(session: ActiveSession): vscode.ThemeIcon {
  return session.state.kind === 'ended' ? endIcon(session.state) : runningIcon(session);
}

function runningIcon(session: ActiveSession): vscode.ThemeIcon {
  switch (activityOf(session)) {
    case 'working':
      return new vscode.ThemeIcon(session.info.command === undefined ? 'terminal' : 'loading~spin');
    case 'ready':
      return new vscode.ThemeIcon('terminal');
    case 'asking':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('notificationsInfoIcon.foreground'));
    case 'askingHidden':
      return new vscode.ThemeIcon('key', new vscode.ThemeColor('notificationsWarningIcon.foreground'));
    case 'screen':
      return new vscode.ThemeIcon('window');
    case 'listening':
      return new vscode.ThemeIcon('broadcast');
  }
}

function endIcon({ reason, status }: Extract<SessionState, { readonly kind: 'ended' }>): vscode.ThemeIcon {
  if (reason === 'signal') return new vscode.ThemeIcon('zap', new vscode.ThemeColor('testing.iconErrored'));
  if (reason === 'hostLost') return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('testing.iconErrored'));
  // Somebody wanted it to end: neither a success nor a failure.
  if (reason !== 'exited') return new vscode.ThemeIcon('circle-slash');
  const hasSucceeded = status?.kind === 'code' && status.code === 0;
  return hasSucceeded
    ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
}
