import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { type EndedTabClosing, KEPT_ENDED_TABS, type RevealMode } from '../contributions';
import { sessionTitle } from '../sessionWords';
import { RevealPolicy } from './revealPolicy';
import { SessionTerminal } from './sessionTerminal';

interface Tab {
  readonly terminal: vscode.Terminal;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Whether the end of its session was noticed: what is opened after it stays, whatever is closed at an end. */
  hasEnded: boolean;
}

export interface SessionTabsOptions {
  readonly manager: SessionManager;
  readonly log: Log;
  /** Asked anew for each session. */
  readonly revealMode: () => RevealMode;
  /** Asked anew at each end. */
  readonly endedTabClosing: () => EndedTabClosing;
}

/** The terminal tabs of the sessions: at most one each, opened by policy or on request, closed when there are too many. */
export class SessionTabs implements Disposable {
  private readonly tabs = new Map<Session, Tab>();
  private readonly store = new DisposableStore();
  private readonly revealPolicy: RevealPolicy;

  constructor(private readonly options: SessionTabsOptions) {
    const { manager, revealMode } = options;
    const offer = (session: Session): void => this.offer(session);
    this.revealPolicy = this.store.add(new RevealPolicy({ manager, mode: revealMode, offer }));
    this.store.add(manager.onDidChange((session) => this.noteChange(session)));
    this.store.add(vscode.window.onDidCloseTerminal((terminal) => this.noteClosed(terminal)));
  }

  /** Shows the session in its tab, which is made if there is none, and puts the keyboard focus there. */
  focus(session: Session): void {
    this.revealPolicy.forget(session);
    this.terminalOf(session).show();
  }

  /** Shows the session in its tab and leaves the keyboard focus where it is. */
  reveal(session: Session): void {
    this.revealPolicy.forget(session);
    this.terminalOf(session).show(true);
  }

  /** The session in the active terminal; `undefined` where that is none of ours. */
  activeSession(): Session | undefined {
    const { activeTerminal } = vscode.window;
    return activeTerminal === undefined ? undefined : this.sessionIn(activeTerminal);
  }

  /** The session that a terminal shows; `undefined` where that is none of ours. */
  sessionIn(terminal: vscode.Terminal): Session | undefined {
    return [...this.tabs].find(([, tab]) => tab.terminal === terminal)?.[0];
  }

  dispose(): void {
    this.store.dispose();
  }

  /**
   * Gives the session a tab and shows it, but not in place of another terminal that somebody may be typing in or reading:
   * VS Code takes the keyboard focus away from a terminal that it hides. The tab stands in the list of terminals then.
   */
  offer(session: Session): void {
    const { activeTerminal } = vscode.window;
    const terminal = this.terminalOf(session);
    if (activeTerminal === undefined || activeTerminal === terminal || this.isOfEndedSession(activeTerminal))
      terminal.show(true);
  }

  private isOfEndedSession(terminal: vscode.Terminal): boolean {
    return [...this.tabs].some(([{ state }, tab]) => tab.terminal === terminal && state.kind === 'ended');
  }

  private noteChange(session: Session): void {
    const tab = this.tabs.get(session);
    if (session.state.kind !== 'ended' || tab === undefined || tab.hasEnded) return;
    tab.hasEnded = true;
    if (this.options.endedTabClosing() === 'all') tab.terminal.dispose();
    else this.closeOldestEnded();
  }

  private terminalOf(session: Session): vscode.Terminal {
    const tab = this.tabs.get(session);
    if (tab !== undefined) return tab.terminal;
    const currentName = (): string => terminal.name;
    const terminal = vscode.window.createTerminal({
      name: sessionTitle(session),
      pty: new SessionTerminal(session, { log: this.options.log, currentName }),
      // VS Code has no way to give a terminal another icon later: who holds the session is told by its name.
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
    });
    this.tabs.set(session, { terminal, openedAt: Date.now(), hasEnded: session.state.kind === 'ended' });
    this.closeOldestEnded();
    return terminal;
  }

  /** Whoever closes the tab of a session ends it; a window that goes away or reloads closes all tabs and decides itself. */
  private noteClosed(closed: vscode.Terminal): void {
    const session = this.sessionIn(closed);
    if (session === undefined) return;
    this.tabs.delete(session);
    if (session.state.kind !== 'running' || closed.exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    session.terminate('tabClosed').catch((error: unknown) => {
      this.options.log.error(`session ${session.info.id} could not be ended`, error);
    });
  }

  private closeOldestEnded(): void {
    if (this.options.endedTabClosing() !== 'allButRecent') return;
    const ended = [...this.tabs]
      .flatMap(([{ state }, { terminal, openedAt }]) =>
        state.kind === 'ended' ? [{ since: Math.max(state.endedAt, openedAt), terminal }] : [],
      )
      .sort((a, b) => a.since - b.since);
    const surplus = ended.slice(0, Math.max(0, ended.length - KEPT_ENDED_TABS));
    for (const { terminal } of surplus) if (terminal !== vscode.window.activeTerminal) terminal.dispose();
  }
}
