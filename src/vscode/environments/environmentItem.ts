import * as vscode from 'vscode';
import type { ServerEnvironment } from '../../environment/serverEnvironment';
import type { LocalEnvironment } from '../../process/execEnvironment';
import { DEFAULT_SUFFIX, ENVIRONMENT_COMMANDS, ENVIRONMENT_KINDS } from '../contributions';
import {
  connectionWords,
  countWords,
  type EnvironmentUse,
  environmentRowWords,
  spokenEnvironmentWords,
} from './environmentWords';

export type AnyEnvironment = LocalEnvironment | ServerEnvironment;

export function createEnvironmentItem(environment: AnyEnvironment, use: EnvironmentUse): vscode.TreeItem {
  const { l10n } = vscode;
  const item = new vscode.TreeItem(environment.id, vscode.TreeItemCollapsibleState.None);
  item.id = `environment ${environment.id}`;
  item.description = environmentRowWords(environment, use, l10n);
  item.iconPath = environmentIcon(environment);
  item.contextValue = `${kindOf(environment)}${use.isDefault ? DEFAULT_SUFFIX : ''}`;
  item.tooltip = tooltipOf(environment, use);
  item.accessibilityInformation = { label: spokenEnvironmentWords(environment, use, l10n) };
  return item;
}

/** An entry of the configuration that is left out, with the sentence that says why; a click leads there. */
export function createProblemItem(problem: string): vscode.TreeItem {
  const item = new vscode.TreeItem(problem, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.tooltip = problem;
  item.command = { command: ENVIRONMENT_COMMANDS.openSettings, title: vscode.l10n.t('Open Environment Settings') };
  return item;
}

export function environmentIcon(environment: AnyEnvironment): vscode.ThemeIcon {
  if (environment.kind === 'local') return new vscode.ThemeIcon('device-desktop');
  const { state } = environment;
  switch (state.kind) {
    case 'connecting':
    case 'recovering':
      return new vscode.ThemeIcon('loading~spin');
    case 'connected':
      return new vscode.ThemeIcon('vm-active');
    case 'disconnected':
      // Colour only for what nobody wanted.
      if (state.reason === undefined || state.isOurs) return new vscode.ThemeIcon('vm-outline');
      return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('testing.iconErrored'));
  }
}

function kindOf(environment: AnyEnvironment): string {
  if (environment.kind === 'local') return ENVIRONMENT_KINDS.local;
  const { kind } = environment.state;
  return ENVIRONMENT_KINDS[kind === 'recovering' ? 'connecting' : kind];
}

function tooltipOf(environment: AnyEnvironment, { isDefault, runningCount }: EnvironmentUse): vscode.MarkdownString {
  const { l10n } = vscode;
  const connection = connectionWords(environment, l10n);
  const facts = [
    [l10n.t('Environment'), `${environment.id} (${environment.label})`],
    ...(connection === undefined ? [] : [[l10n.t('Connection'), connection]]),
    [l10n.t('Running'), countWords(runningCount, l10n)],
    ...(isDefault ? [[l10n.t('Default'), l10n.t('where commands run that name no environment')]] : []),
  ] as const;
  const tooltip = new vscode.MarkdownString();
  for (const [name, value] of facts) tooltip.appendMarkdown(`**${name}:** `).appendText(value).appendMarkdown('  \n');
  return tooltip;
}
