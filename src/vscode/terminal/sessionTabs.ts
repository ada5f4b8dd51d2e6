import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import type { RevealMode } from '../contributions';
import { sessionTitle } from '../sessionWords';
import { SessionTerminal } from './sessionTerminal';

/** What ends sooner nobody could have watched: it is in the list, and gets no tab. What waits for input gets one at once. */
const LONG_RUNNING_MS = 1_000;
/** Tabs of ended sessions that stay open; the list still has what is in the others. */
const MAX_ENDED_TABS = 5;

interface Tab {
  readonly terminal: vscode.Terminal;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
}

export interface SessionTabsOptions {
  readonly manager: SessionManager;
  readonly log: Log;
  /** Asked anew for each session. */
  readonly revealMode: () => RevealMode;
}

/** The terminal tabs of the sessions: at most one each, opened by policy or on request, closed when there are too many. */
export class SessionTabs implements Disposable {
  private readonly tabs = new Map<Session, Tab>();
  private readonly store = new DisposableStore();
  private readonly waiting = new Map<Session, Disposable>();

  constructor(private readonly options: SessionTabsOptions) {
    const { manager } = options;
    this.store.add(manager.onDidAdd((session) => this.consider(session)));
    this.store.add(manager.onDidChange((session) => this.noteChange(session)));
    this.store.add(vscode.window.onDidCloseTerminal((terminal) => this.forget(terminal)));
    this.store.add(toDisposable(() => this.waiting.forEach((timer) => timer.dispose())));
  }

  /** Shows the session in its tab, which is made if there is none, and puts the keyboard focus there. */
  focus(session: Session): void {
    this.stopWaiting(session);
    this.terminalOf(session).show();
  }

  /** Shows the session in its tab and leaves the keyboard focus where it is. */
  reveal(session: Session): void {
    this.stopWaiting(session);
    this.terminalOf(session).show(true);
  }

  dispose(): void {
    this.store.dispose();
  }

  private consider(session: Session): void {
    // Who starts a session in the window shows it with the focus.
    if (session.info.startedBy === 'user') return;
    const mode = this.options.revealMode();
    if (mode === 'always') this.offer(session);
    if (mode !== 'longRunning') return;
    const stop = new AbortController();
    this.waiting.set(
      session,
      toDisposable(() => stop.abort()),
    );
    session.wait(LONG_RUNNING_MS, { signal: stop.signal }).then(
      (end) => (end === 'ended' ? this.stopWaiting(session) : this.offer(session)),
      // Somebody opened the tab, or the window is closing.
      () => undefined,
    );
  }

  /**
   * Gives the session a tab and shows it, but not in place of another terminal that somebody may be typing in or reading:
   * VS Code takes the keyboard focus away from a terminal that it hides. The tab stands in the list of terminals then.
   */
  private offer(session: Session): void {
    this.stopWaiting(session);
    const { activeTerminal } = vscode.window;
    const terminal = this.terminalOf(session);
    if (activeTerminal === undefined || this.isOfEndedSession(activeTerminal)) terminal.show(true);
  }

  private isOfEndedSession(terminal: vscode.Terminal): boolean {
    return [...this.tabs].some(([{ state }, tab]) => tab.terminal === terminal && state.kind === 'ended');
  }

  private noteChange(session: Session): void {
    if (session.state.kind !== 'ended') return;
    this.stopWaiting(session);
    if (this.tabs.has(session)) this.closeOldestEnded();
  }

  private stopWaiting(session: Session): void {
    this.waiting.get(session)?.dispose();
    this.waiting.delete(session);
  }

  private terminalOf(session: Session): vscode.Terminal {
    const tab = this.tabs.get(session);
    if (tab !== undefined) return tab.terminal;
    const name = sessionTitle(session);
    const hasOwnName = (): boolean => terminal.name === name;
    const terminal = vscode.window.createTerminal({
      name,
      pty: new SessionTerminal(session, { log: this.options.log, hasOwnName }),
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
    });
    this.tabs.set(session, { terminal, openedAt: Date.now() });
    this.closeOldestEnded();
    return terminal;
  }

  private forget(terminal: vscode.Terminal): void {
    for (const [session, tab] of this.tabs) if (tab.terminal === terminal) this.tabs.delete(session);
  }

  private closeOldestEnded(): void {
    const ended = [...this.tabs]
      .flatMap(([{ state }, { terminal, openedAt }]) =>
        state.kind === 'ended' ? [{ since: Math.max(state.endedAt, openedAt), terminal }] : [],
      )
      .sort((a, b) => a.since - b.since);
    const surplus = ended.slice(0, Math.max(0, ended.length - MAX_ENDED_TABS));
    for (const { terminal } of surplus) if (terminal !== vscode.window.activeTerminal) terminal.dispose();
  }
}
