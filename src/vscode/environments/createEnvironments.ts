import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import type { EnvironmentConfiguration } from '../../environment/environmentConfiguration';
import { EnvironmentManager } from '../../environment/environmentManager';
import { createServerEnvironment } from '../../environment/serverEnvironment';
import { readSettings } from '../../environment/settingConfiguration';
import type { ExecBackend } from '../../process/execProcess';
import { SETTINGS, SETTINGS_SECTION } from '../contributions';
import { leadingAuthority } from '../workspaceFolders';

const KEYS = ['environments', 'defaultEnvironment'] as const satisfies readonly (keyof typeof SETTINGS)[];

/**
 * The environments of the settings, which follow these and the folders of the window. Codex's file is read again with them, not when it changes. The caller
 * disposes the environments, the context what follows.
 */
export function createEnvironments(
  { subscriptions }: vscode.ExtensionContext,
  local: ExecBackend,
  log: Log,
): EnvironmentManager {
  const environments = new EnvironmentManager({
    local,
    log,
    configuration: readConfiguration(),
    createRemote: createServerEnvironment,
  });
  const following = vscode.workspace.onDidChangeConfiguration((change) => {
    if (KEYS.some((key) => change.affectsConfiguration(`${SETTINGS_SECTION}.${key}`))) followSettings(environments);
  });
  subscriptions.push(
    following,
    vscode.workspace.onDidChangeWorkspaceFolders(() => followSettings(environments)),
  );
  return environments;
}

/** From now on the environments are those of the settings as they are; for who has just written these, and cannot wait. */
export function followSettings(environments: EnvironmentManager): void {
  environments.configure(readConfiguration());
}

function readConfiguration(): EnvironmentConfiguration {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const environments: unknown = settings.get('environments', SETTINGS.environments);
  const defaultId = String(settings.get<unknown>('defaultEnvironment', SETTINGS.defaultEnvironment));
  return readSettings({ environments, defaultId, folderAuthority: leadingAuthority() }, process.env);
}
