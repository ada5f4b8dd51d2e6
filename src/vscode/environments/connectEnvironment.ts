import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../base/messageOf';
import type { ServerEnvironment } from '../../environment/serverEnvironment';
import { TERMINATE_GRACE_MS } from '../../process/execProcess';
import type { SessionManager } from '../../session/sessionManager';
import { ENVIRONMENT_COMMANDS } from '../contributions';
import { requireTrust } from '../trust';
import { countWords } from './environmentWords';
import { sessionsOn } from './environmentUse';

/** Part of the sentence by which whoever waits for something there is told. */
const BY_USER = 'the user disconnected it';
/** How long sessions may take to end: what their programs get, and as much again for the way there and back. */
const END_SESSIONS_MS = 2 * TERMINATE_GRACE_MS;

/** Connects while the user watches, who can give it up, and is told why it failed and what to do. */
export async function connectEnvironment(environment: ServerEnvironment): Promise<void> {
  if (!(await requireTrust())) return;
  const { l10n } = vscode;
  const title = l10n.t('Connecting with {0}...', environment.id);
  const location = vscode.ProgressLocation.Notification;
  const failure = await vscode.window.withProgress({ location, title, cancellable: true }, (_progress, cancellation) => {
    cancellation.onCancellationRequested(() => environment.disconnect(BY_USER));
    return environment.connect().then(() => undefined, messageOf);
  });
  const wasGivenUp = environment.state.kind === 'disconnected' && environment.state.isOurs;
  if (failure === undefined || wasGivenUp) return;
  await offerHelp(environment, l10n.t('The environment {0} cannot be reached: {1}.', environment.id, failure));
}

async function offerHelp(environment: ServerEnvironment, message: string): Promise<void> {
  const { l10n } = vscode;
  const [again, settings, log] = [l10n.t('Try Again'), l10n.t('Edit Settings'), l10n.t('Show Log')];
  const choice = await vscode.window.showErrorMessage(message, again, settings, log);
  if (choice === again) await connectEnvironment(environment);
  else if (choice === settings) await vscode.commands.executeCommand(ENVIRONMENT_COMMANDS.openSettings);
  else if (choice === log) await vscode.commands.executeCommand(ENVIRONMENT_COMMANDS.showLog);
}

/** Drops the connection; once the user agrees, where that ends what runs: sessions are ended first, and told by whom. */
export async function disconnectEnvironment(environment: ServerEnvironment, manager: SessionManager): Promise<void> {
  const sessions = sessionsOn(environment, manager);
  if (sessions.length > 0 || environment.programCount > 0) {
    if (!(await agreesToEnd(environment, sessions.length))) return;
    const title = vscode.l10n.t('Disconnecting from {0}...', environment.id);
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async () => {
      const ended = Promise.all(sessions.map((session) => session.terminate('user')));
      // One that cannot be reached ends its programs itself some time after the connection is gone.
      await Promise.race([ended, delay(END_SESSIONS_MS)]);
    });
  }
  environment.disconnect(BY_USER);
}

async function agreesToEnd({ id, programCount }: ServerEnvironment, sessionCount: number): Promise<boolean> {
  const { l10n } = vscode;
  const sessions = countWords(sessionCount, l10n);
  // Such as an MCP server: what is no session of ours.
  const otherCount = Math.max(0, programCount - sessionCount);
  const what = otherCount === 0 ? sessions : l10n.t('{0}, other programs: {1}', sessions, otherCount);
  const question = l10n.t('Disconnect from {0} and end what runs there ({1})?', id, what);
  const detail = l10n.t('Their programs are ended with all that they have started; what they have printed is kept.');
  const end = l10n.t('End and Disconnect');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, end)) === end;
}
