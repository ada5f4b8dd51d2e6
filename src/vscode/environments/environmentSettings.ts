import * as vscode from 'vscode';
import { type SETTINGS, SETTINGS_SECTION } from '../contributions';

/** What the setting lists, right or wrong; it can be set for a user only, never by a workspace. */
export function configuredEntries(): readonly unknown[] {
  const entries: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get('environments');
  return Array.isArray(entries) ? entries : [];
}

export async function setUserSetting(key: keyof typeof SETTINGS, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}
