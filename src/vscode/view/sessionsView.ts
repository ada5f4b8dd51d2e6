import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { VIEWS } from '../contributions';
import { inListOrder } from '../listOrder';
import { createSessionItem, createSessionTooltip } from './sessionItem';

/** Changes in quick succession, such as many short commands, are drawn together. */
const DRAW_DELAY_MS = 100;
/** How often the ages in a visible list are renewed: seconds are shown, but nobody reads them like a clock. */
const AGE_INTERVAL_MS = 5_000;

/** The list of the sessions. */
export class SessionsView implements vscode.TreeDataProvider<Session>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed: vscode.EventEmitter<void>;
  private readonly view: vscode.TreeView<Session>;
  private drawTimer: NodeJS.Timeout | undefined;
  private ageTimer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData: vscode.Event<void>;

  constructor(private readonly manager: SessionManager) {
    this.changed = this.store.add(new vscode.EventEmitter<void>());
    this.onDidChangeTreeData = this.changed.event;
    this.view = this.store.add(vscode.window.createTreeView(VIEWS.sessions, { treeDataProvider: this }));
    for (const event of [manager.onDidAdd, manager.onDidChange, manager.onDidRemove]) {
      this.store.add(event(() => this.drawSoon()));
    }
    this.store.add(this.view.onDidChangeVisibility(() => this.keepAges()));
    this.store.add(
      toDisposable(() => {
        clearTimeout(this.drawTimer);
        clearInterval(this.ageTimer);
      }),
    );
    this.keepAges();
  }

  getChildren(parent?: Session): Session[] {
    return parent === undefined ? inListOrder(this.manager.list()) : [];
  }

  getTreeItem(session: Session): vscode.TreeItem {
    return createSessionItem(session);
  }

  resolveTreeItem(item: vscode.TreeItem, session: Session): vscode.TreeItem {
    item.tooltip = createSessionTooltip(session);
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }

  private drawSoon(): void {
    this.drawTimer ??= setTimeout(() => {
      this.drawTimer = undefined;
      this.changed.fire();
    }, DRAW_DELAY_MS);
  }

  private keepAges(): void {
    clearInterval(this.ageTimer);
    if (!this.view.visible) return;
    this.ageTimer = setInterval(() => {
      if (this.manager.list().length > 0) this.changed.fire();
    }, AGE_INTERVAL_MS);
  }
}
