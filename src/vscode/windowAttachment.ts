import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { startWindowHost, type WindowHost, type WindowHostOptions } from '../attach/windowHost';
import { writeLauncher } from './agents/launcher';
import { CLI_FILE, SETTINGS_SECTION } from './contributions';
import { attachAgentsSetting } from './settings';

export interface WindowAttachmentOptions extends Omit<WindowHostOptions, 'version' | 'folders' | 'env'> {
  readonly context: vscode.ExtensionContext;
}

/** Lets command lines of this extension attach to the window that has their folder open, and gives agents a way to start them. */
export class WindowAttachment implements vscode.Disposable {
  private readonly store = new DisposableStore();
  /** Of the window, while it takes agents; changes follow one another. */
  private host: Promise<WindowHost | undefined> = Promise.resolve(undefined);

  constructor(private readonly options: WindowAttachmentOptions) {}

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

  /** Ends every connection. Sessions go on. */
  async close(): Promise<void> {
    this.dispose();
    await (await this.host)?.close();
  }

  dispose(): void {
    this.store.dispose();
  }

  private openOrClose(): void {
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
      return await startWindowHost({ ...rest, log, version, folders: openFolders(), env: process.env });
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
