import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { requireTrust } from '../trust';
import { AGENT_IDS, type AgentId, type Connection, connectionOf, hasDefault, needsFolder } from './agents';
import type { ConfigChange } from './configChange';

type FileConnection = Extract<Connection, { readonly kind: 'file' }>;

/**
 * Lets the user choose an agent, and tells it of our server: writes its configuration once the user has seen what would be
 * written and where, or gives the text to be put there by hand. `launcher` gives the program that starts our command line.
 */
export async function connectAgent(launcher: () => Promise<string>): Promise<void> {
  if (!(await requireTrust())) return;
  const agent = await pickAgent();
  if (agent === undefined) return;
  const folder = needsFolder(agent.id) ? await pickFolder() : '';
  if (folder === undefined) return;
  const isDefault = hasDefault(agent.id) ? await pickDefault() : false;
  if (isDefault === undefined) return;
  const connection = connectionOf(agent.id, { launcher: await launcher(), folder, isDefault, env: process.env });
  if (connection.kind === 'text') await copy(connection.text);
  else await offerChange(agent.label, connection);
}

interface AgentItem extends vscode.QuickPickItem {
  readonly id: AgentId;
}

async function pickAgent(): Promise<AgentItem | undefined> {
  const { l10n } = vscode;
  const names: Readonly<Record<AgentId, readonly [label: string, detail: string]>> = {
    vscode: [
      'Visual Studio Code',
      l10n.t('For agents that do not get the tools of extensions: writes .vscode/mcp.json of the folder.'),
    ],
    codex: ['Codex', l10n.t('Gives it our tools: adds a table to config.toml in your .codex folder.')],
    codexExecServer: [
      l10n.t('Codex (exec-server)'),
      l10n.t('Runs the commands of its own tool here: adds an environment to environments.toml in your .codex folder.'),
    ],
    claudeProject: [l10n.t('Claude Code, in This Folder'), l10n.t('Writes .mcp.json of the folder.')],
    claudeUser: [l10n.t('Claude Code, Everywhere'), l10n.t('Copies a command line for you to run.')],
    gemini: ['Gemini CLI', l10n.t('Writes .gemini/settings.json of the folder.')],
    other: [l10n.t('Another Client'), l10n.t('Copies the configuration in the form that most clients take.')],
  };
  const items = AGENT_IDS.map((id): AgentItem => ({ id, label: names[id][0], detail: names[id][1] }));
  return vscode.window.showQuickPick(items, {
    title: l10n.t('Connect an Agent'),
    placeHolder: l10n.t('Select the agent whose commands are to run in this window'),
    matchOnDetail: true,
  });
}

/** `undefined`: there is none, or the user wants none. */
async function pickFolder(): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
  if (folders.length === 0) {
    void vscode.window.showErrorMessage(vscode.l10n.t('Open a folder first: this configuration lies in one.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0]?.uri.fsPath;
  const picked = await vscode.window.showQuickPick(
    folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, folder: uri.fsPath })),
    { title: vscode.l10n.t('Connect an Agent'), placeHolder: vscode.l10n.t('Select the folder to write to') },
  );
  return picked?.folder;
}

/** `undefined`: the user wants neither. */
async function pickDefault(): Promise<boolean | undefined> {
  const { l10n } = vscode;
  const items = [
    {
      label: l10n.t('All Commands'),
      detail: l10n.t('Makes the window the default. Without one that has the folder open, Codex runs them by itself.'),
      isDefault: true,
    },
    {
      label: l10n.t('Only Those for Which Codex Names the Window'),
      detail: l10n.t('Adds the window, and changes nothing else.'),
      isDefault: false,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Connect an Agent'),
    placeHolder: l10n.t('Select what Codex is to run in the window that has its folder open'),
  });
  return picked?.isDefault;
}

async function offerChange(label: string, connection: FileConnection): Promise<void> {
  const { l10n } = vscode;
  const before = await readIfThere(connection.file);
  const change = connection.change(before);
  if (change.kind === 'none') {
    void vscode.window.showInformationMessage(l10n.t('{0} is connected already, by {1}.', label, connection.file));
    return;
  }
  const [write, copyInstead] = [l10n.t('Write'), l10n.t('Copy')];
  const choices = change.kind === 'byHand' ? [copyInstead] : [write, copyInstead];
  const { message, detail } = question(change, connection);
  const choice = await vscode.window.showInformationMessage(message, { modal: true, detail }, ...choices);
  if (choice === copyInstead) await copy(connection.snippet);
  else if (choice === write && change.kind !== 'byHand') await put(connection, before, change.text);
}

function question(
  change: Exclude<ConfigChange, { readonly kind: 'none' }>,
  { file, snippet }: FileConnection,
): { readonly message: string; readonly detail: string } {
  const { l10n } = vscode;
  if (change.kind !== 'byHand') {
    const message = change.kind === 'add' ? l10n.t('Write to {0}?', file) : l10n.t('Change the entry in {0}?', file);
    return { message, detail: snippet };
  }
  const reasons = {
    unreadable: l10n.t('The file cannot be changed without you: it is not in the form that was expected.'),
    otherEntry: l10n.t('The file has another entry of this name, which is left to you.'),
  };
  return { message: l10n.t('Add this to {0} yourself.', file), detail: `${reasons[change.reason]}\n\n${snippet}` };
}

/** Writes the file if it is still as it was when the user was asked, and shows it. */
async function put({ file }: FileConnection, before: string, text: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  const isBeingEdited = vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.fsPath === uri.fsPath,
  );
  if (isBeingEdited || (await readIfThere(file)) !== before) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('{0} was not written, because it is being changed. Save it, and try again.', file),
    );
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await vscode.window.showTextDocument(uri, { preview: true });
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  const { l10n } = vscode;
  const show = l10n.t('Show');
  const choice = await vscode.window.showInformationMessage(l10n.t('Copied to the clipboard.'), show);
  if (choice === show) await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
}

/** Empty for a file that is not there. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
