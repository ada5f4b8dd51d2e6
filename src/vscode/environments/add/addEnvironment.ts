import * as vscode from 'vscode';
import type { EnvironmentManager } from '../../../environment/environmentManager';
import { findIdFault, MAX_ID_CHARACTERS } from '../../../environment/environmentEntry';
import { type EnvironmentWay, entryOf, suggestId } from '../../../environment/environmentWay';
import { ENVIRONMENT_COMMANDS, SETTINGS_SECTION, VIEWS } from '../../contributions';
import { requireTrust } from '../../trust';
import { connectEnvironment } from '../connectEnvironment';
import { followSettings } from '../createEnvironments';
import { readEntries, setUserSetting } from '../environmentSettings';
import { type Answer, ask, type Place, type Typed } from './prompts';
import { type Draft, nextOf } from './wayQuestions';

interface Added {
  readonly id: string;
  readonly way: EnvironmentWay;
}

/** Asks for another machine, writes it to the settings of the user, and connects. */
export async function addEnvironment(environments: EnvironmentManager): Promise<void> {
  if (!(await requireTrust())) return;
  const entries = readEntries();
  if (entries === undefined) {
    await offerSettings();
    return;
  }
  if (entries.length === 0 && !(await agreesToLeave(environments))) return;
  const takenIds = new Set(entries.flatMap(idOf));
  const added = await askForAll(takenIds);
  if (added === undefined) return;
  await setUserSetting('environments', [...entries, { id: added.id, ...entryOf(added.way) }]);
  followSettings(environments);
  const environment = environments.list().find(({ id }) => id === added.id);
  if (environment?.kind !== 'remote') throw new Error(`The environment ${added.id} was written and is not there.`);
  void vscode.commands.executeCommand(`${VIEWS.environments}.focus`);
  await connectEnvironment(environment);
}

/** Also of entries that are wrong in another way: an id must not be there twice once they are right. */
function idOf(entry: unknown): string[] {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : [];
}

async function offerSettings(): Promise<void> {
  const { l10n } = vscode;
  const settings = l10n.t('Edit Settings');
  const message = l10n.t(
    'The setting {0} is not a list, and nothing can be added to it.',
    `${SETTINGS_SECTION}.environments`,
  );
  if ((await vscode.window.showErrorMessage(message, settings)) !== settings) return;
  await vscode.commands.executeCommand(ENVIRONMENT_COMMANDS.openSettings);
}

/** What Codex configures counts only while the setting is empty: whoever has environments by that should know. */
async function agreesToLeave({ configuration }: EnvironmentManager): Promise<boolean> {
  if (configuration.remotes.length === 0 && configuration.includesLocal) return true;
  const { l10n } = vscode;
  const question = l10n.t('Configure the environments of this window by its settings?');
  const detail = l10n.t(
    'They are configured by {0} now, which no longer counts here once the settings name one.',
    configuration.source,
  );
  const goOn = l10n.t('Continue');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, goOn)) === goOn;
}

async function askForAll(takenIds: ReadonlySet<string>): Promise<Added | undefined> {
  /** What was known before each question, for the way back. */
  const trail: Draft[] = [{}];
  for (;;) {
    const draft = trail.at(-1) ?? {};
    const place = { title: vscode.l10n.t('Add Environment'), canGoBack: trail.length > 1 };
    const next = nextOf(draft);
    let answer: Answer<Draft>;
    if (next.kind === 'question') {
      answer = await next.question(draft, place);
    } else {
      const id = await askId(next.way, takenIds, place);
      if (id.kind === 'given') return { id: id.value, way: next.way };
      answer = id;
    }
    if (answer.kind === 'cancelled') return undefined;
    if (answer.kind === 'back') trail.pop();
    else trail.push(answer.value);
  }
}

function askId(way: EnvironmentWay, takenIds: ReadonlySet<string>, place: Place): Promise<Answer<string>> {
  return ask({
    ...place,
    prompt: vscode.l10n.t('A short name by which agents ask for it and lists show it'),
    value: suggestId(way, takenIds),
    read: (id): Typed<string> => {
      const fault = idWords(id, takenIds);
      return fault === undefined ? { kind: 'read', value: id } : { kind: 'wrong', fault };
    },
  });
}

function idWords(id: string, takenIds: ReadonlySet<string>): string | undefined {
  const { l10n } = vscode;
  switch (findIdFault(id, takenIds)) {
    case 'malformed':
      return l10n.t('1 to {0} letters, digits, "_" and "-"', MAX_ID_CHARACTERS);
    case 'reserved':
      return l10n.t('"{0}" has a meaning of its own', id);
    case 'taken':
      return l10n.t('Another environment has this name');
    case undefined:
      return undefined;
  }
}
