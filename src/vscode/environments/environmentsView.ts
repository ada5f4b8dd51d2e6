import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { type McpServers, ReachableServer } from '../../mcpServers/mcpServers';
import { CONTEXT_KEYS, VIEWS } from '../contributions';
import { createMcpServerItem } from '../mcpServers/mcpServerItem';
import { onSessionsChange } from '../onSessionsChange';
import { type AnyEnvironment, createEnvironmentItem, createProblemItem } from './environmentItem';
import { sessionsOn, type Used, useOf } from './environmentUse';

/** Command of VS Code that sets a key for `when` clauses. */
const SET_CONTEXT_COMMAND = 'setContext';

/** A row: an environment with the MCP servers in it, or what is wrong with the configuration of one. */
type Row = AnyEnvironment | ReachableServer | { readonly kind: 'problem'; readonly sentence: string };

/** The environments and their MCP servers, with the state of each. Shown where there is more to it than this machine. */
export class EnvironmentsView implements vscode.TreeDataProvider<Row>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());

  /** How many sessions run in each environment, by what the rows say. */
  private drawnCounts = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly used: Used,
    private readonly mcpServers: McpServers,
  ) {
    const { environments, manager } = used;
    this.store.add(vscode.window.registerTreeDataProvider(VIEWS.environments, this));
    this.store.add(environments.onDidChange(() => this.draw()));
    this.store.add(onSessionsChange(manager, () => this.drawCounts()));
    this.store.add(mcpServers.onDidChange(() => this.draw()));
    this.draw();
  }

  getChildren(parent?: Row): Row[] {
    const { environments } = this.used;
    const servers = this.mcpServers.list();
    if (parent !== undefined)
      return 'id' in parent ? servers.filter(({ environmentId }) => environmentId === parent.id) : [];
    const listed = environments.list();
    const { problems } = environments.configuration;
    return [
      ...listed,
      ...servers.filter(({ environmentId }) => listed.every(({ id }) => id !== environmentId)),
      ...problems.map((sentence) => ({ kind: 'problem' as const, sentence })),
    ];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if (row instanceof ReachableServer) return createMcpServerItem(row);
    if (row.kind === 'problem') return createProblemItem(row.sentence);
    const item = createEnvironmentItem(row, useOf(row, this.used));
    if (this.getChildren(row).length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Sessions change often, and mostly in what no row says: rows that are drawn anew lose the pointer. */
  private drawCounts(): void {
    if (this.countSessions() !== this.drawnCounts) this.draw();
  }

  private countSessions(): string {
    const { environments, manager } = this.used;
    const counts = environments.list().map((environment) => sessionsOn(environment, manager).length);
    return counts.join();
  }

  private draw(): void {
    this.drawnCounts = this.countSessions();
    this.changed.fire(undefined);
    const rows = this.getChildren();
    const [first] = rows;
    const isThisMachine = rows.length === 1 && first !== undefined && 'kind' in first && first.kind === 'local';
    const hasOnlyThisMachine = isThisMachine && this.mcpServers.list().length === 0;
    void vscode.commands.executeCommand(SET_CONTEXT_COMMAND, CONTEXT_KEYS.hasEnvironments, !hasOnlyThisMachine);
  }
}
