import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { SessionManager } from '../session/sessionManager';
import { CONTEXT_KEYS } from './contributions';
import type { SessionTabs } from './terminal/sessionTabs';

/** Command of VS Code that sets a key for the `when` clauses of menus and key bindings. */
const SET_CONTEXT_COMMAND = 'setContext';

/** Tells menus and key bindings who holds the session in the active terminal: `shared`, `user`, or nothing where there is none. */
export function publishActiveSession(manager: SessionManager, tabs: Pick<SessionTabs, 'activeSession'>): Disposable {
  let published: string | undefined;
  const publish = (): void => {
    const session = tabs.activeSession();
    const holder = session?.state.kind === 'running' ? session.holder : undefined;
    if (holder === published) return;
    published = holder;
    void vscode.commands.executeCommand(SET_CONTEXT_COMMAND, CONTEXT_KEYS.activeSession, holder);
  };
  const store = new DisposableStore();
  store.add(vscode.window.onDidChangeActiveTerminal(publish));
  store.add(manager.onDidChange(publish));
  return store;
}
