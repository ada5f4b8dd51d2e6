import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { startWindowHost, type WindowHost, type WindowHostOptions } from '../attach/windowHost';
import type { ExecServer } from '../execServer/server/execServer';
import { writeLauncher } from './agents/launcher';
import { CLI_FILE, SETTINGS_SECTION } from './contributions';
import { type ExecServerConnection, LoopbackExecServer } from './loopbackExecServer';
import { attachAgentsSetting, codexExecServerSetting } from './settings';
import { createWindowExecServer } from './windowExecServer';

export interface WindowAttachmentOptions extends Omit<WindowHostOptions, 'version' | 'folders' | 'env' | 'execServer'> {
  readonly context: vscode.ExtensionContext;
}

/**
 * Lets command lines of this extension attach to the window that has their folder open, gives agents a way to start them, and opens
 * the exec-server to other clients where the user wants it.
 */
export class WindowAttachment implements vscode.Disposable {
  private readonly store = new DisposableStore();
  /** Of the window, while it takes agents; changes follow one another. */
  private host: Promise<WindowHost | undefined> = Promise.resolve(undefined);

  private readonly execServer: ExecServer;
  private readonly loopback: LoopbackExecServer;

  constructor(private readonly options: WindowAttachmentOptions) {
    const { manager, log } = options;
    this.execServer = createWindowExecServer(manager, log);
    this.loopback = new LoopbackExecServer({ server: this.execServer, log, isWanted: codexExecServerSetting });
  }

  /** To be called once, in a trusted workspace. */
  start(): void {
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.update()));
    this.store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.update()));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(SETTINGS_SECTION)) this.openOrClose();
      }),
    );
    this.openOrClose();
  }

  /** Returns the path of the program that agents are to start. */
  async writeLauncher(): Promise<string> {
    const { context } = this.options;
    const host = await this.host;
    return writeLauncher({
      folder: context.globalStorageUri.fsPath,
      runtime: process.execPath,
      commandLine: context.asAbsolutePath(CLI_FILE),
      runtimeFolder: host?.folder,
    });
  }

  /** How clients reach the exec-server of the window over loopback; `undefined` while the user does not want it, or it cannot be. */
  execServerConnection(): Promise<ExecServerConnection | undefined> {
    return this.loopback.update();
  }

  /** Ends every connection. Sessions go on. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.all([this.host.then((host) => host?.close()), this.loopback.close()]);
  }

  dispose(): void {
    this.store.dispose();
  }

  private openOrClose(): void {
    void this.loopback.update();
    this.host = this.host.then(async (host) => {
      if (attachAgentsSetting()) return host ?? this.open();
      await host?.close();
      return undefined;
    });
    this.writeLauncher().catch((error: unknown) => {
      this.options.log.error('The program that agents start could not be written', error);
    });
  }

  private async open(): Promise<WindowHost | undefined> {
    const { context, log, ...rest } = this.options;
    const { version } = context.extension.packageJSON as { version: string };
    try {
      return await startWindowHost({
        ...rest,
        execServer: this.execServer,
        log,
        version,
        folders: openFolders(),
        env: process.env,
      });
    } catch (error) {
      log.error('Agents outside of this window cannot attach to it', error);
      return undefined;
    }
  }

  private update(): void {
    void this.host.then((host) => host?.update(openFolders()));
  }
}

/** The folders of the window that are on this machine. */
function openFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
