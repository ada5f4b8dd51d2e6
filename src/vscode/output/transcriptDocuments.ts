import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { TRANSCRIPT_SCHEME } from '../contributions';
import { ShownTranscripts } from './shownTranscripts';
import { transcriptText } from './transcriptText';
import { transcriptUri } from './transcriptUri';

/** How soon a short document shows what the program prints: often enough to read along. */
const UPDATE_MS = 500;
/** A long one is handed over as a whole, which costs the window about 50 ms for each megabyte. */
const UPDATE_MS_PER_MEGABYTE = 1_000;
const UNITS_PER_MEGABYTE = 1_024 * 1_024;

/**
 * Transcripts as read-only documents, which go on while their program prints. A document that is open keeps what it shows when
 * its session is no longer kept; one that is opened again later says that it has gone.
 */
export class TranscriptDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  /** By the address of the document. */
  private readonly followed = new Map<string, Disposable>();

  private readonly shown: ShownTranscripts;

  readonly onDidChange = this.changed.event;

  /** `state`: of the workspace. */
  constructor(
    private readonly manager: SessionManager,
    state: vscode.Memento,
  ) {
    this.shown = this.store.add(new ShownTranscripts(state));
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, this));
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.unfollow(uri)));
    this.store.add(toDisposable(() => this.followed.forEach((following) => following.dispose())));
  }

  /** Opens the transcript in an editor that stays. */
  async open(session: Session): Promise<void> {
    const document = await vscode.workspace.openTextDocument(transcriptUri(session));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows again what a reload has taken away of the transcripts of sessions that go on. */
  async restore(sessions: readonly Session[]): Promise<void> {
    await this.shown.restore(sessions);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const id = Number(uri.path.split('/')[1]);
    const lookup = this.manager.find(id);
    if (lookup.kind !== 'found') return vscode.l10n.t('The output of session {0} is no longer kept.', id);
    const { text } = transcriptText(lookup.session.transcript, vscode.l10n);
    this.follow(uri, lookup.session, text.length);
    return text;
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Announces a change once, not before the window had time for what it got last: it asks for the text again then. */
  private follow(uri: vscode.Uri, session: Session, length: number): void {
    this.unfollow(uri);
    const following = new DisposableStore();
    const waitMs = Math.max(UPDATE_MS, (length / UNITS_PER_MEGABYTE) * UPDATE_MS_PER_MEGABYTE);
    let timer: NodeJS.Timeout | undefined;
    const announce = (): void => {
      timer ??= setTimeout(() => this.changed.fire(uri), waitMs);
    };
    following.add(session.onDidOutput(announce));
    following.add(session.onDidChange(announce));
    following.add(toDisposable(() => clearTimeout(timer)));
    this.followed.set(uri.toString(), following);
  }

  private unfollow(uri: vscode.Uri): void {
    this.followed.get(uri.toString())?.dispose();
    this.followed.delete(uri.toString());
  }
}
