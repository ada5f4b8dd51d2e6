import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { needsPerson } from './activity';
import { COMMANDS, VIEWS } from './contributions';
import { onSessionsChange } from './onSessionsChange';
import { activityWords, sessionTitle } from './sessionWords';

const STATUS_ITEM_ID = 'execSessions.status';
/** Beside the problems of the workspace, before what languages add. */
const PRIORITY = 40;
/** The command that VS Code makes for each view. */
const FOCUS_VIEW_COMMAND = `${VIEWS.sessions}.focus`;

/** How many sessions run, in the status bar while there are any; coloured only while one of them needs a person. */
export class StatusItem implements Disposable {
  private readonly store = new DisposableStore();
  private readonly item: vscode.StatusBarItem;

  constructor(private readonly manager: SessionManager) {
    this.item = this.store.add(vscode.window.createStatusBarItem(STATUS_ITEM_ID, vscode.StatusBarAlignment.Left, PRIORITY));
    this.item.name = vscode.l10n.t('Exec Sessions');
    this.store.add(onSessionsChange(manager, () => this.draw()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private draw(): void {
    const sessions = this.manager.list();
    if (sessions.length === 0) {
      this.item.hide();
      return;
    }
    const running = sessions.filter(({ state }) => state.kind === 'running').length;
    const needy = sessions.filter(needsPerson);
    const lines = [runningWords(running), ...needy.map(needWords)];
    this.item.text = `$(terminal) ${running}`;
    this.item.tooltip = lines.join('\n');
    this.item.accessibilityInformation = { label: lines.join(', '), role: 'button' };
    this.item.backgroundColor = needy.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.command = clickCommand(needy[0]);
    this.item.show();
  }
}

function runningWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 exec session is running') : vscode.l10n.t('{0} exec sessions are running', count);
}

function needWords(session: Session): string {
  return vscode.l10n.t('{0} needs you: {1}', sessionTitle(session), activityWords(session, vscode.l10n));
}

/** To the session that needs somebody, else to the list. */
function clickCommand(session: Session | undefined): vscode.Command {
  return session === undefined
    ? { command: FOCUS_VIEW_COMMAND, title: vscode.l10n.t('Show Sessions') }
    : { command: COMMANDS.focusSession, title: vscode.l10n.t('Focus Session'), arguments: [session.info.id] };
}
