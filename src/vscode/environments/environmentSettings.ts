import * as vscode from 'vscode';
import { type SETTINGS, SETTINGS_SECTION } from '../contributions';

/** What the setting lists, entries that are wrong included; `undefined`: it is no list. Only a user can set it, no workspace. */
export function readEntries(): readonly unknown[] | undefined {
  const entries: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get('environments');
  return Array.isArray(entries) ? entries : undefined;
}

export async function setUserSetting(key: keyof typeof SETTINGS, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}
