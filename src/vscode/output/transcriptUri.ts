import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { TRANSCRIPT_SCHEME } from '../contributions';
import { oneLine } from '../oneLine';

/** The last part of the path names the editor's tab, and its ending chooses the colours of a log. */
export function transcriptUri({ info }: Session): vscode.Uri {
  const name = oneLine(info.title).replaceAll('/', '\u2215');
  return vscode.Uri.from({ scheme: TRANSCRIPT_SCHEME, path: `/${info.id}/${name}.log` });
}
