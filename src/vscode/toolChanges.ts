import * as vscode from 'vscode';
import type { Event } from '../base/emitter';
import { SETTINGS_SECTION } from './contributions';

/** The descriptions of the tools name the folder and the shell of the window: these have changed, or may have. */
export const onDidChangeTools: Event<void> = (listener) =>
  vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => listener()),
    vscode.env.onDidChangeShell(() => listener()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) listener();
    }),
  );
