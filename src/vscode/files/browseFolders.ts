import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/messageOf';
import type { ExecutorFileSystem } from '../../files/executorFileSystem';

export interface FolderQuestion {
  readonly title: string;
  readonly files: ExecutorFileSystem;
  /** Where to begin: an absolute path. */
  readonly start: string;
}

interface FolderItem extends vscode.QuickPickItem {
  /** `undefined`: the folder that is shown is the answer. */
  readonly folder: string | undefined;
}

/** Lets the user go from folder to folder, by picking or by typing a path; `undefined` once they give it up. */
export function browseFolders({ title, files, start }: FolderQuestion): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<FolderItem>();
  let shown = start;
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Pick a folder, or type a path and press Enter');
  pick.ignoreFocusOut = true;

  const show = async (folder: string): Promise<void> => {
    pick.busy = true;
    pick.enabled = false;
    try {
      const names = await folderNames(files, folder);
      shown = folder;
      pick.title = `${title} — ${folder}`;
      pick.value = '';
      pick.items = itemsOf(folder, names);
    } catch (error) {
      // It names the folder.
      void vscode.window.showErrorMessage(messageOf(error));
      if (pick.items.length === 0) pick.items = itemsOf(shown, []);
    } finally {
      pick.busy = false;
      pick.enabled = true;
    }
  };

  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (isPath(pick.value)) void show(path.posix.resolve(shown, pick.value));
      else if (item?.folder !== undefined) void show(item.folder);
      else if (item !== undefined) {
        resolve(shown);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    void show(start);
  });
}

/** What is typed filters the list, unless it says where to go. */
function isPath(value: string): boolean {
  return value.includes('/') || value === '..';
}

/** Those with a dot come last. */
async function folderNames(files: ExecutorFileSystem, folder: string): Promise<string[]> {
  const entries = await files.readDirectory(folder);
  const names = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  const isHidden = (name: string): boolean => name.startsWith('.');
  const sorted = names.sort((one, other) => one.localeCompare(other));
  return [...sorted.filter((name) => !isHidden(name)), ...sorted.filter(isHidden)];
}

function itemsOf(folder: string, names: readonly string[]): FolderItem[] {
  const { l10n, ThemeIcon } = vscode;
  const here = { label: l10n.t('Open This Folder'), description: folder, iconPath: new ThemeIcon('check') };
  const up = { label: '..', iconPath: new ThemeIcon('arrow-up'), folder: path.posix.dirname(folder) };
  return [
    { ...here, folder: undefined },
    ...(folder === '/' ? [] : [up]),
    ...names.map((name) => ({
      label: name,
      iconPath: new ThemeIcon('folder'),
      folder: path.posix.join(folder, name),
    })),
  ];
}
