import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import type { RevealMode } from './contributions';
import { sessionTitle } from './sessionWords';
import type { SessionTabs } from './terminal/sessionTabs';

export interface HiddenInputPromptOptions {
  readonly manager: SessionManager;
  readonly tabs: Pick<SessionTabs, 'offer' | 'focus'>;
  /** Asked anew each time. */
  readonly revealMode: () => RevealMode;
}

/**
 * Asks the user, once for each wait, to type what a program takes without showing it: no agent may. A user who sits in front of
 * the terminal is not asked.
 */
export class HiddenInputPrompt implements Disposable {
  private readonly store = new DisposableStore();
  /** Sessions whose present wait was seen. */
  private readonly waiting = new WeakSet<Session>();

  constructor(private readonly options: HiddenInputPromptOptions) {
    this.store.add(options.manager.onDidChange((session) => this.note(session)));
  }

  dispose(): void {
    this.store.dispose();
  }

  private note(session: Session): void {
    if (session.waitingFor !== 'hidden') {
      this.waiting.delete(session);
      return;
    }
    if (this.waiting.has(session)) return;
    this.waiting.add(session);
    if (!session.isUserPresent) void this.ask(session);
  }

  private async ask(session: Session): Promise<void> {
    const { tabs, revealMode } = this.options;
    if (revealMode() !== 'never') tabs.offer(session);
    const show = vscode.l10n.t('Show Terminal');
    const message = vscode.l10n.t(
      '"{0}" asks for input that it does not show, such as a password. Type it into its terminal: the agent is not told what it is.',
      sessionTitle(session),
    );
    if ((await vscode.window.showInformationMessage(message, show)) === show) tabs.focus(session);
  }
}
