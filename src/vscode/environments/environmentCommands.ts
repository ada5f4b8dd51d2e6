import * as vscode from 'vscode';
import { findCodexSource } from '../../environment/codexEnvironment';
import type { ServerEnvironment } from '../../environment/serverEnvironment';
import { ENVIRONMENT_COMMANDS, SETTINGS_SECTION } from '../contributions';
import { openFolder } from '../files/openFolder';
import { addEnvironment } from './add/addEnvironment';
import { connectEnvironment, disconnectEnvironment } from './connectEnvironment';
import type { AnyEnvironment } from './environmentItem';
import type { Used } from './environmentUse';
import { pickEnvironment } from './pickEnvironment';
import { readEntries, setUserSetting } from './environmentSettings';

export interface EnvironmentTargets extends Used {
  /** Where our log is. */
  readonly channel: vscode.OutputChannel;
}

type EnvironmentCommandId = (typeof ENVIRONMENT_COMMANDS)[keyof typeof ENVIRONMENT_COMMANDS];

/** Settings as VS Code's editor for them finds them. */
const SETTINGS_QUERY = `@id:${SETTINGS_SECTION}.environments,${SETTINGS_SECTION}.defaultEnvironment`;

/** Registers the commands about environments. */
export function registerEnvironmentCommands(targets: EnvironmentTargets): vscode.Disposable {
  const { environments, manager, channel } = targets;
  const { l10n } = vscode;
  /** A command about one environment, which is the row that it was chosen on or picked by the user. */
  const about =
    <T extends AnyEnvironment>(title: string, choices: () => readonly T[], run: (environment: T) => unknown) =>
    async (argument: unknown): Promise<void> => {
      const environment = await pickEnvironment(argument, { title, choices: choices(), used: targets });
      if (environment !== undefined) await run(environment);
    };
  const all = (): readonly AnyEnvironment[] => environments.list();
  const remotes = (): ServerEnvironment[] => environments.list().filter((environment) => environment.kind === 'remote');
  const handlers: Record<EnvironmentCommandId, (argument: unknown) => Promise<void>> = {
    [ENVIRONMENT_COMMANDS.add]: () => addEnvironment(environments),
    [ENVIRONMENT_COMMANDS.connect]: about(
      l10n.t('Connect Environment'),
      () => remotes().filter(isDisconnected),
      connectEnvironment,
    ),
    [ENVIRONMENT_COMMANDS.disconnect]: about(
      l10n.t('Disconnect Environment'),
      () => remotes().filter((environment) => !isDisconnected(environment)),
      (environment) => disconnectEnvironment(environment, manager),
    ),
    [ENVIRONMENT_COMMANDS.setDefault]: about(l10n.t('Set as Default Environment'), all, ({ id }) =>
      setUserSetting('defaultEnvironment', id),
    ),
    [ENVIRONMENT_COMMANDS.openFolder]: about(l10n.t('Open Folder in Environment'), remotes, openFolder),
    [ENVIRONMENT_COMMANDS.copyId]: about(l10n.t('Copy Environment Id'), all, ({ id }) => vscode.env.clipboard.writeText(id)),
    [ENVIRONMENT_COMMANDS.openSettings]: openSettings,
    [ENVIRONMENT_COMMANDS.showLog]: async () => channel.show(),
  };
  const registrations = Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, handler));
  return vscode.Disposable.from(...registrations);
}

const isDisconnected = ({ state }: ServerEnvironment): boolean => state.kind === 'disconnected';

/** Where the environments come from: Codex's file while that counts, else the settings. */
async function openSettings(): Promise<void> {
  const source = findCodexSource(process.env);
  if (readEntries()?.length !== 0 || source.kind !== 'file') {
    await vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_QUERY);
  } else {
    await vscode.window.showTextDocument(vscode.Uri.file(source.file));
  }
}
