import * as vscode from 'vscode';
import type { Log } from '../base/log';
import type { ShellEnvironmentPolicy } from '../process/shellEnvironmentPolicy';
import type { SpoolBudget } from '../session/log/spool';
import type { SessionManagerOptions } from '../session/sessionManager';
import {
  ENDED_TAB_CLOSINGS,
  type EndedTabClosing,
  REVEAL_MODES,
  type RevealMode,
  SETTINGS,
  SETTINGS_SECTION,
} from './contributions';
import { policyFromSetting } from './shellEnvironmentSetting';

/** Says that the shell is the one of the user's default terminal profile. */
const PROFILE_SHELL = 'profile';

/** The shell for sessions that name none; `undefined` where the setting is empty, or follows a profile without a shell. */
function defaultShellSetting(): string | undefined {
  const setting = read('defaultShell').trim();
  const shell = setting === PROFILE_SHELL ? vscode.env.shell : setting;
  return shell === '' ? undefined : shell;
}

/** What holds for new sessions, asked anew for each. */
export function sessionSettings(
  log: Log,
): Pick<SessionManagerOptions, 'defaultShell' | 'hasAgentPagers' | 'environmentPolicy'> {
  return {
    defaultShell: defaultShellSetting,
    hasAgentPagers: agentPagersSetting,
    environmentPolicy: () => shellEnvironmentSetting(log),
  };
}

export function revealModeSetting(): RevealMode {
  const value = read('revealTerminal');
  return REVEAL_MODES.find((mode) => mode === value) ?? SETTINGS.revealTerminal;
}

export function endedTabClosingSetting(): EndedTabClosing {
  const value = read('closeEndedTabs');
  return ENDED_TAB_CLOSINGS.find((closing) => closing === value) ?? SETTINGS.closeEndedTabs;
}

/** Whether what looks like a key or a token is masked in what agents get. */
export function redactSecretsSetting(): boolean {
  return read('redactSecrets');
}

/** Whether agents are told the lines that the user types, and not only that something was typed. */
export function tellTypedTextSetting(): boolean {
  return read('tellTypedText');
}

/** Names of files that count as `AGENTS.md` where a folder has none. */
export function projectDocFallbackNamesSetting(): string[] {
  const names: unknown = configuration().get('projectDocFallbackNames');
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string' && name !== '') : [];
}

/** Whether agents outside of the window may use its sessions. */
export function attachAgentsSetting(): boolean {
  return read('attachAgents');
}

/** Whether the exec-server of the window listens on loopback. */
export function codexExecServerSetting(): boolean {
  return read('codexExecServer');
}

/** Whether pagers print instead of waiting for keys in sessions that agents start. */
function agentPagersSetting(): boolean {
  return read('agentPagers');
}

/** Whether sessions that start now outlive a reload of the window. */
export function persistSessionsSetting(): boolean {
  return read('persistSessions');
}

function shellEnvironmentSetting(log: Log): ShellEnvironmentPolicy {
  return policyFromSetting(configuration().get('shellEnvironment') ?? SETTINGS.shellEnvironment, log);
}

/** What the output of sessions may take on disk. */
export function spoolBudgetSetting(): SpoolBudget {
  return {
    sessionBytes: Math.max(0, read('outputSessionMegabytes')) * BYTES_PER_MEGABYTE,
    totalBytes: Math.max(0, read('outputTotalMegabytes')) * BYTES_PER_MEGABYTE,
  };
}

const BYTES_PER_MEGABYTE = 1_024 * 1_024;

type Settings = typeof SETTINGS;
/** What a setting of a type may hold, of which its default is one. */
type Widened<T> = T extends string ? string : T extends boolean ? boolean : T extends number ? number : T;

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION);
}

/** A value of the wrong type, written by hand, counts as the default. */
function read<K extends keyof Settings>(key: K): Widened<Settings[K]> {
  const value: unknown = configuration().get(key);
  const fallback = SETTINGS[key] as Widened<Settings[K]>;
  return typeof value === typeof fallback ? (value as Widened<Settings[K]>) : fallback;
}
