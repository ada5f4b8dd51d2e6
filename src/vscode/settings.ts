import * as vscode from 'vscode';
import { REVEAL_MODES, type RevealMode, SETTINGS, SETTINGS_SECTION } from './contributions';

/** The shell for sessions that name none; `undefined` where the setting is empty. */
export function defaultShellSetting(): string | undefined {
  const shell = read('defaultShell').trim();
  return shell === '' ? undefined : shell;
}

export function revealModeSetting(): RevealMode {
  const value = read('revealTerminal');
  return REVEAL_MODES.find((mode) => mode === value) ?? SETTINGS.revealTerminal;
}

/** Whether what looks like a key or a token is masked in what agents get. */
export function redactSecretsSetting(): boolean {
  return read('redactSecrets');
}

type Settings = typeof SETTINGS;
/** What a setting of a type may hold, of which its default is one. */
type Widened<T> = T extends string ? string : T extends boolean ? boolean : T;

/** A value of the wrong type, written by hand, counts as the default. */
function read<K extends keyof Settings>(key: K): Widened<Settings[K]> {
  const value: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get(key);
  const fallback = SETTINGS[key] as Widened<Settings[K]>;
  return typeof value === typeof fallback ? (value as Widened<Settings[K]>) : fallback;
}
