import * as vscode from 'vscode';
import { SETTINGS_SECTION } from '../contributions';
import { codexExecServerSetting } from '../settings';
import { requireTrust } from '../trust';
import type { WindowAttachment } from '../windowAttachment';
import { environmentSnippet } from './environmentsToml';

/** Copies how a client that cannot start a program reaches the exec-server of this window; asks first where that is not open. */
export async function copyExecServerConnection(attachment: WindowAttachment): Promise<void> {
  const { l10n } = vscode;
  if (!(await requireTrust()) || !(await openFirst())) return;
  const connection = await attachment.execServerConnection();
  if (connection === undefined) {
    void vscode.window.showErrorMessage(l10n.t('The exec-server could not be opened. The log of Exec Sessions says why.'));
    return;
  }
  const { url, token } = connection;
  await vscode.env.clipboard.writeText(`${environmentSnippet({ url, auth_bearer_token: token })}\n`);
  void vscode.window.showInformationMessage(
    l10n.t('Copied as a table for environments.toml. Its token is good until this window closes or reloads.'),
  );
}

/** Whether it is open now, as far as that is up to the user. */
async function openFirst(): Promise<boolean> {
  if (codexExecServerSetting()) return true;
  const { l10n } = vscode;
  const open = l10n.t('Open');
  const detail = l10n.t(
    'It listens on loopback in each of your windows, for clients that show its token, until you turn off {0}.',
    `${SETTINGS_SECTION}.codexExecServer`,
  );
  const message = l10n.t('Open the exec-server of this window?');
  if ((await vscode.window.showInformationMessage(message, { modal: true, detail }, open)) !== open) return false;
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await settings.update('codexExecServer', true, vscode.ConfigurationTarget.Global);
  return true;
}
