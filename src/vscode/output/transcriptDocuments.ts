import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { TRANSCRIPT_SCHEME } from '../contributions';
import { oneLine } from '../oneLine';
import { transcriptText } from './transcriptText';

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

  readonly onDidChange = this.changed.event;

  constructor(private readonly manager: SessionManager) {
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, this));
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.unfollow(uri)));
    this.store.add(toDisposable(() => this.followed.forEach((following) => following.dispose())));
    void closeEarlier();
  }

  /** Opens the transcript in an editor that stays. */
  async open(session: Session): Promise<void> {
    const document = await vscode.workspace.openTextDocument(transcriptUri(session));
    await vscode.window.showTextDocument(document, { preview: false });
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

/** VS Code brings editors back before it starts us, without anybody to ask for their text: they would only show an error. */
async function closeEarlier(): Promise<void> {
  const loaded = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const dead = tabs.filter(({ input }) => {
    const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
    return uri?.scheme === TRANSCRIPT_SCHEME && !loaded.has(uri.toString());
  });
  await vscode.window.tabGroups.close(dead);
}

/** The last part of the path names the editor's tab, and its ending chooses the colours of a log. */
function transcriptUri({ info }: Session): vscode.Uri {
  const name = oneLine(info.title).replaceAll('/', '\u2215');
  return vscode.Uri.from({ scheme: TRANSCRIPT_SCHEME, path: `/${info.id}/${name}.log` });
}
