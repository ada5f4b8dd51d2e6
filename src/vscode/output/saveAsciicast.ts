import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { isElsewhere } from '../../session/sessionInfo';
import { oneLine } from '../oneLine';
import { asciicast } from './asciicast';

/** Characters that a file name cannot have on one system or another. */
const NOT_IN_FILE_NAMES = /[<>:"/\\|?*.\s]+/g;
const EXTENSION = 'cast';

/** Lets the user choose a file, and writes the recording of the session there. */
export async function saveAsciicast(session: Session): Promise<void> {
  const { info } = session;
  const name = oneLine(info.title)
    .replaceAll(NOT_IN_FILE_NAMES, '-')
    .replaceAll(/^-|[-…]+$/g, '');
  const folder = isElsewhere(info) ? homedir() : info.cwd;
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save as Asciicast'),
    defaultUri: vscode.Uri.file(path.join(folder, `${name === '' ? String(info.id) : name}.${EXTENSION}`)),
    filters: { [vscode.l10n.t('Asciicast')]: [EXTENSION] },
  });
  if (file === undefined) return;
  const recording = session.recording();
  await vscode.workspace.fs.writeFile(file, Buffer.from(asciicast(recording, info, vscode.l10n)));
  if (recording.missingBytes === 0) return;
  const bytes = recording.missingBytes.toLocaleString(vscode.env.language);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The first {0} bytes of the output were no longer kept: the recording begins after them.', bytes),
  );
}
