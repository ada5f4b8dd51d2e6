import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { CONTEXT_KEYS, VIEWS } from '../contributions';
import { onSessionsChange } from '../onSessionsChange';
import { type AnyEnvironment, createEnvironmentItem, createProblemItem } from './environmentItem';
import { type Used, useOf } from './environmentUse';

/** Command of VS Code that sets a key for `when` clauses. */
const SET_CONTEXT_COMMAND = 'setContext';

/** A row: an environment, or what is wrong with the configuration of one. */
type Row = AnyEnvironment | { readonly kind: 'problem'; readonly sentence: string };

/** The list of the environments with the state of each. Shown where there is more to it than this machine. */
export class EnvironmentsView implements vscode.TreeDataProvider<Row>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly used: Used) {
    const { environments, manager } = used;
    this.store.add(vscode.window.registerTreeDataProvider(VIEWS.environments, this));
    this.store.add(environments.onDidChange(() => this.draw()));
    this.store.add(onSessionsChange(manager, () => this.draw()));
    this.draw();
  }

  getChildren(parent?: Row): Row[] {
    if (parent !== undefined) return [];
    const { environments } = this.used;
    const { problems } = environments.configuration;
    return [...environments.list(), ...problems.map((sentence) => ({ kind: 'problem' as const, sentence }))];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.kind === 'problem' ? createProblemItem(row.sentence) : createEnvironmentItem(row, useOf(row, this.used));
  }

  dispose(): void {
    this.store.dispose();
  }

  private draw(): void {
    this.changed.fire(undefined);
    const rows = this.getChildren();
    const hasOnlyThisMachine = rows.length === 1 && rows[0]?.kind === 'local';
    void vscode.commands.executeCommand(SET_CONTEXT_COMMAND, CONTEXT_KEYS.hasEnvironments, !hasOnlyThisMachine);
  }
}
