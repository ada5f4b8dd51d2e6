import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { startWindowHost, type WindowHost, type WindowHostOptions } from '../attach/windowHost';
import { writeLauncher } from './agents/launcher';

export interface WindowAttachmentOptions extends Omit<WindowHostOptions, 'version' | 'folders' | 'env'> {
  readonly context: vscode.ExtensionContext;
}

/** Lets command lines of this extension attach to the window that has their folder open, and gives agents a way to start them. */
export class WindowAttachment implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private host: Promise<WindowHost | undefined> = Promise.resolve(undefined);

  constructor(private readonly options: WindowAttachmentOptions) {}

  /** To be called once, in a trusted workspace. */
  start(): void {
    const { context, log, ...rest } = this.options;
    const { version } = context.extension.packageJSON as { version: string };
    const starting = startWindowHost({ ...rest, log, version, folders: openFolders(), env: process.env });
    this.host = starting.catch((error: unknown) => {
      log.error('Agents outside of this window cannot attach to it', error);
      return undefined;
    });
    void this.host.then((host) => {
      if (host !== undefined) this.store.add(keepKnown(host));
    });
    this.writeLauncher().catch((error: unknown) => {
      log.error('The program that agents start could not be written', error);
    });
  }

  /** Returns the path of the program that agents are to start. */
  async writeLauncher(): Promise<string> {
    const { context } = this.options;
    const host = await this.host;
    return writeLauncher({
      folder: context.globalStorageUri.fsPath,
      runtime: process.execPath,
      commandLine: context.asAbsolutePath('dist/cli.js'),
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
}

/** Keeps what command lines know of the window as it is. */
function keepKnown(host: WindowHost): vscode.Disposable {
  const update = (): void => {
    host.update(openFolders());
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) update();
    }),
  );
}

/** The folders of the window that are on this machine. */
function openFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
