import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Session } from '../../session/session';
import { TRANSCRIPT_SCHEME } from '../contributions';
import { transcriptUri } from './transcriptUri';

const STATE_KEY = 'shownTranscripts';

interface ShownTranscript {
  readonly uri: string;
  readonly viewColumn: vscode.ViewColumn;
}

/** Remembers over a reload which transcripts were in front: VS Code brings no editors back whose text an extension provides. */
export class ShownTranscripts implements Disposable {
  private readonly before: readonly ShownTranscript[];
  private readonly following: vscode.Disposable;

  /** `state`: of the workspace. */
  constructor(state: vscode.Memento) {
    this.before = state.get<readonly ShownTranscript[]>(STATE_KEY, []);
    this.following = vscode.window.tabGroups.onDidChangeTabs(() => void state.update(STATE_KEY, shownNow()));
  }

  /** Shows those of sessions that go on where they were, without moving the focus. */
  async restore(sessions: readonly Session[]): Promise<void> {
    const uris = new Map(sessions.map((session) => [transcriptUri(session).toString(), transcriptUri(session)]));
    for (const { uri: address, viewColumn } of this.before) {
      const uri = uris.get(address);
      if (uri !== undefined) await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: true, preview: false });
    }
  }

  dispose(): void {
    this.following.dispose();
  }
}

function shownNow(): ShownTranscript[] {
  return vscode.window.tabGroups.all.flatMap(({ activeTab, viewColumn }) => {
    const uri = activeTab?.input instanceof vscode.TabInputText ? activeTab.input.uri : undefined;
    return uri?.scheme === TRANSCRIPT_SCHEME ? [{ uri: uri.toString(), viewColumn }] : [];
  });
}
