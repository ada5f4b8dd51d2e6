import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { EnvironmentManager, Machine } from '../../environment/environmentManager';
import type { DirectoryEntry } from '../../files/executorFileSystem';
import { EXEC_ENV_SCHEME } from '../contributions';
import { ChangeFinder, type ChangeKind } from './changeFinder';
import { environmentUri } from './environmentUri';
import { idOfAuthority } from '../../environment/idOfAuthority';

/** Between two looks: soon enough for who reads along, and a few requests a second at the most. */
export const LOOK_INTERVAL_MS = 3_000;

const TYPES: Readonly<Record<ChangeKind, vscode.FileChangeType>> = {
  created: vscode.FileChangeType.Created,
  changed: vscode.FileChangeType.Changed,
  deleted: vscode.FileChangeType.Deleted,
};

/**
 * Tells what others change in environments, whose servers tell nobody: while the window has the focus and VS Code watches anything
 * there, it looks every few seconds at the files in open editors and at the folders that were listed last. It never connects for
 * that.
 */
export class FileWatch implements Disposable {
  private readonly store = new DisposableStore();
  private readonly watched = new Set<vscode.Uri>();
  /** By the authority of the address. */
  private readonly finders = new Map<string, ChangeFinder>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    private readonly environments: EnvironmentManager,
    private readonly tell: (changes: vscode.FileChangeEvent[]) => void,
  ) {
    this.store.add(vscode.window.onDidChangeWindowState(() => this.schedule(0)));
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.schedule(0)));
    this.store.add(toDisposable(() => clearTimeout(this.timer)));
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    this.watched.add(uri);
    this.schedule(LOOK_INTERVAL_MS);
    return new vscode.Disposable(() => this.watched.delete(uri));
  }

  noteListing(folder: vscode.Uri, entries: readonly DirectoryEntry[]): void {
    this.finderOf(folder.authority).noteListing(folder.path, entries);
  }

  dispose(): void {
    this.watched.clear();
    this.store.dispose();
  }

  private schedule(delayMs: number): void {
    if (this.isLooking) return;
    clearTimeout(this.timer);
    if (this.watched.size === 0 || !vscode.window.state.focused) return;
    this.timer = setTimeout(() => void this.look(), delayMs);
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    const authorities = new Set([...this.watched].map(({ authority }) => authority));
    await Promise.all([...authorities].map((authority) => this.lookAt(authority)));
    this.isLooking = false;
    this.schedule(LOOK_INTERVAL_MS);
  }

  private async lookAt(authority: string): Promise<void> {
    const machine = this.connected(authority);
    if (machine === undefined) return;
    const open = openFiles().filter((uri) => uri.authority === authority);
    const changes = await this.finderOf(authority).find(
      machine.files,
      open.map(({ path }) => path),
    );
    if (changes.size === 0) return;
    this.tell([...changes].map(([path, kind]) => ({ type: TYPES[kind], uri: environmentUri(authority, path) })));
  }

  private connected(authority: string): Machine | undefined {
    const machines = this.environments.list();
    const id = idOfAuthority(
      authority,
      machines.map((machine) => machine.id),
    );
    const machine = machines.find((other) => other.id === id);
    return machine?.kind === 'local' || machine?.state.kind === 'connected' ? machine : undefined;
  }

  private finderOf(authority: string): ChangeFinder {
    const finder = this.finders.get(authority) ?? new ChangeFinder();
    this.finders.set(authority, finder);
    return finder;
  }
}

/** What editors of this window show of environments. */
function openFiles(): vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) => {
    if (input instanceof vscode.TabInputTextDiff) return [input.original, input.modified];
    const isOfFile =
      input instanceof vscode.TabInputText ||
      input instanceof vscode.TabInputCustom ||
      input instanceof vscode.TabInputNotebook;
    return isOfFile ? [input.uri] : [];
  });
  return uris.filter(({ scheme }) => scheme === EXEC_ENV_SCHEME);
}
