import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { needsPerson } from '../activity';
import { VIEWS } from '../contributions';
import { inListOrder } from '../listOrder';
import { onSessionsChange } from '../onSessionsChange';
import { stateWords } from '../sessionWords';
import { createSessionItem } from './sessionItem';
import { createSessionTooltip } from './sessionTooltip';

/** How often the ages in a visible list are renewed: seconds are shown, but nobody reads them like a clock. */
const AGE_INTERVAL_MS = 5_000;

/** The list of the sessions, with the number of those that need a person on its badge. */
export class SessionsView implements vscode.TreeDataProvider<Session>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<Session[] | undefined>());
  private readonly view: vscode.TreeView<Session>;
  /** What each row says, to renew only those whose age has changed. */
  private drawnWords = new WeakMap<Session, string>();
  private ageTimer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly manager: SessionManager) {
    this.view = this.store.add(vscode.window.createTreeView(VIEWS.sessions, { treeDataProvider: this }));
    this.store.add(onSessionsChange(manager, () => this.draw()));
    this.store.add(this.view.onDidChangeVisibility(() => this.keepAges()));
    this.store.add(toDisposable(() => clearInterval(this.ageTimer)));
    this.keepAges();
  }

  getChildren(parent?: Session): Session[] {
    return parent === undefined ? inListOrder(this.manager.list()) : [];
  }

  getTreeItem(session: Session): vscode.TreeItem {
    this.drawnWords.set(session, this.wordsOf(session));
    return createSessionItem(session);
  }

  resolveTreeItem(item: vscode.TreeItem, session: Session): vscode.TreeItem {
    item.tooltip = createSessionTooltip(session);
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }

  private draw(): void {
    this.changed.fire(undefined);
    const count = this.manager.list().filter(needsPerson).length;
    const tooltip = count === 1 ? vscode.l10n.t('1 session needs you') : vscode.l10n.t('{0} sessions need you', count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  private keepAges(): void {
    clearInterval(this.ageTimer);
    if (this.view.visible) this.ageTimer = setInterval(() => this.drawAges(), AGE_INTERVAL_MS);
  }

  private drawAges(): void {
    const aged = this.manager.list().filter((session) => {
      const drawn = this.drawnWords.get(session);
      return drawn !== undefined && drawn !== this.wordsOf(session);
    });
    if (aged.length > 0) this.changed.fire(aged);
  }

  private wordsOf(session: Session): string {
    return stateWords(session, Date.now(), vscode.l10n);
  }
}
