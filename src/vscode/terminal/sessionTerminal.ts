import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Session } from '../../session/session';
import { endWords, sessionTitle, tabName } from '../sessionWords';
import { LineEnds } from './lineEnds';
import { endLine, noticeLine } from './tabText';
import { TerminalFeed } from './terminalFeed';
import { type TerminalInput, TerminalInputSplitter } from './terminalInput';

const NEWLINE = 10;

export interface SessionTerminalOptions {
  readonly log: Log;
  /** The name that the tab has now. */
  readonly currentName: () => string;
}

/**
 * A session in a terminal tab: the program's bytes to the screen, keys to the program.
 *
 * The session is the owner of the program and goes on without a tab; only a person who closes the tab ends it. What the
 * program printed before VS Code opens the tab, which may be long after it was created, is replayed then.
 * Text that other extensions send with `Terminal.sendText`, and VS Code's own "Run Selected Text in Active Terminal", arrive
 * as keys: VS Code gives an extension's terminal both in the same way.
 * A close event with an exit code other than 0 would make VS Code show a notification, so none ever carries one.
 */
export class SessionTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<void>();
  private readonly renamed = new vscode.EventEmitter<string>();
  private readonly store = new DisposableStore();
  private readonly lineEnds = new LineEnds();
  private readonly feed: TerminalFeed;
  private readonly splitter: TerminalInputSplitter;
  private lastByte = NEWLINE;
  /** Whether the terminal has answered something: it takes names now. */
  private isAlive = false;
  private name: string;
  /** All that the tab was ever called by us: it takes a moment until it is. */
  private readonly ownNames = new Set<string>();
  private hasToldEnd = false;

  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;
  readonly onDidChangeName = this.renamed.event;

  constructor(
    private readonly session: Session,
    private readonly options: SessionTerminalOptions,
  ) {
    this.name = sessionTitle(session);
    this.ownNames.add(this.name);
    this.feed = this.store.add(
      new TerminalFeed({
        write: (text) => this.written.fire(text),
        skipNotice: (bytes) => noticeLine(vscode.l10n.t('{0} bytes skipped: more than a terminal can show', grouped(bytes))),
      }),
    );
    this.splitter = this.store.add(
      new TerminalInputSplitter(
        () => this.feed.isAwaitingAnswer,
        (input) => this.handle(input),
      ),
    );
    for (const emitter of [this.written, this.closed, this.renamed]) this.store.add(emitter);
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    if (dimensions !== undefined) this.setDimensions(dimensions);
    this.store.add(this.session.attachEmulator());
    this.show(this.session.replay());
    this.feed.markEarlier();
    this.feed.probe();
    this.store.add(this.session.onDidOutput((chunk) => this.show(chunk)));
    this.store.add(
      this.session.onDidChange(() => {
        this.tellEnd();
        this.rename();
      }),
    );
    this.tellEnd();
  }

  /** VS Code calls it when the tab is gone; why, and whether the session goes with it, is for the owner of the tabs to learn. */
  close(): void {
    this.store.dispose();
  }

  handleInput(data: string): void {
    this.splitter.push(data);
  }

  /** A tab that is not shown has no size to offer, or 0. */
  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    if (columns > 0 && rows > 0) this.session.resize({ cols: columns, rows });
  }

  private handle(input: TerminalInput): void {
    switch (input.kind) {
      case 'progress':
        this.feed.acknowledge();
        this.isAlive = true;
        this.rename();
        break;
      case 'report':
        // Questions in what is replayed were answered long ago: a second answer would be typed into something else.
        if (this.feed.hasShownEarlier) this.write(input.text, 'terminal');
        break;
      case 'keys':
        this.write(input.text, 'user');
        break;
    }
  }

  private write(text: string, author: 'user' | 'terminal'): void {
    this.session.write(Buffer.from(text, 'utf8'), author).catch((error: unknown) => {
      this.options.log.error(`session ${this.session.info.id} did not take its input`, error);
    });
  }

  private show(chunk: Buffer): void {
    const bytes = this.session.info.isTerminal ? chunk : this.lineEnds.push(chunk);
    this.lastByte = bytes.at(-1) ?? this.lastByte;
    this.feed.push(bytes);
  }

  /**
   * Gives the tab the name that the session has now, unless a person gave it another one. Waits for a sign of life from the
   * terminal: a name given before that would be overwritten with the first one.
   */
  private rename(): void {
    const name = tabName(this.session, vscode.l10n);
    if (!this.isAlive || name === this.name || !this.ownNames.has(this.options.currentName())) return;
    this.name = name;
    this.ownNames.add(name);
    this.renamed.fire(name);
  }

  private tellEnd(): void {
    const { state } = this.session;
    if (state.kind !== 'ended' || this.hasToldEnd) return;
    this.hasToldEnd = true;
    const words = endWords(state, vscode.l10n);
    const skippedBytes = this.feed.totalSkippedBytes;
    const line = skippedBytes === 0 ? words : vscode.l10n.t('{0} · {1} bytes not shown here', words, grouped(skippedBytes));
    this.feed.push(Buffer.from(endLine(line, this.lastByte === NEWLINE)));
    if (isFinishedShell(this.session)) this.closed.fire();
  }
}

/** A person who ends their shell wants it gone, as in every other terminal of the window. */
function isFinishedShell({ info, state }: Session): boolean {
  const isShellOfPerson = info.startedBy === 'user' && info.command === undefined;
  const hasSucceeded = state.kind === 'ended' && state.status?.kind === 'code' && state.status.code === 0;
  return isShellOfPerson && hasSucceeded && state.reason === 'exited';
}

/** A large number for people, digits in groups of three. */
function grouped(count: number): string {
  return count.toLocaleString(vscode.env.language);
}
