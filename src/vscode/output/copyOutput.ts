import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { transcriptText } from './transcriptText';

/** Puts the transcript into the clipboard, and says so where it is not all of it. */
export async function copyOutput(session: Session): Promise<void> {
  const { text, omittedBytes } = transcriptText(session.transcript, vscode.l10n);
  await vscode.env.clipboard.writeText(text);
  if (omittedBytes === 0) return;
  const bytes = omittedBytes.toLocaleString(vscode.env.language);
  void vscode.window.showInformationMessage(vscode.l10n.t('Copied without {0} bytes; a line says where they were.', bytes));
}
