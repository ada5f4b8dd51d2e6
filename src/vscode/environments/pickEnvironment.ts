import * as vscode from 'vscode';
import { type AnyEnvironment, environmentIcon } from './environmentItem';
import { type Used, useOf } from './environmentUse';
import { environmentRowWords } from './environmentWords';

export interface EnvironmentChoice<T extends AnyEnvironment> {
  readonly title: string;
  readonly choices: readonly T[];
  readonly used: Used;
}

/** The environment a command is about: the row of the list that it was chosen on, else the one that the user picks, if any. */
export async function pickEnvironment<T extends AnyEnvironment>(
  given: unknown,
  { title, choices, used }: EnvironmentChoice<T>,
): Promise<T | undefined> {
  const row = choices.find((environment) => environment === given);
  if (row !== undefined) return row;
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no such environment at the moment.'));
    return undefined;
  }
  const items = choices.map((environment) => ({
    label: environment.id,
    description: environmentRowWords(environment, useOf(environment, used), vscode.l10n),
    iconPath: environmentIcon(environment),
    environment,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select an environment') });
  return picked?.environment;
}
