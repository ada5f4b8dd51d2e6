import type { Disposable } from '../base/disposable';
import type { CappedText } from '../session/text/capText';
import type { WaitingFor } from '../session/terminal/inputWatch';
import type { Screen } from '../session/terminal/screen';
import type { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { NOTHING_TYPED, type TypedByUser, type TypingMark } from '../session/userTyping';
import type { TextReader } from '../session/text/textReader';
import { TurnShare } from '../session/turnShare';
import { isWriting } from './maskedLines';
import { type Redaction, RedactedStream } from './redaction';
import { openSecretStart } from './secretForms';

/** What is new for one client since its last reply about a session. */
export interface News {
  /** New text; while a full-screen program has the terminal, what that shows. */
  readonly output: CappedText;
  readonly isScreen: boolean;
  /** Secrets that were masked in `output`. */
  readonly maskedSecrets: number;
  /** Whether the end of its last line is kept back, because it may be the beginning of a secret. */
  readonly isHeldBack: boolean;
  readonly waitingFor: WaitingFor;
  /** Whether nothing but input can wake it; else it may be at work as well. */
  readonly isBlocked: boolean;
  /** What the user typed meanwhile. */
  readonly typedByUser: TypedByUser;
  /** Whether the user, who had taken over when this client last heard of it, has given the session back. */
  readonly isGivenBack: boolean;
}

interface Cursor {
  readonly reader: TextReader;
  readonly secrets: RedactedStream;
  typedByUser: TypingMark;
  /** Stamp of the wait for input that the client was told of. */
  knownWait: string | undefined;
  /** Whether the client was told that the user has taken over. */
  isHeld: boolean;
}

export interface ClientViewOptions {
  readonly manager: SessionManager;
  readonly redaction: Redaction;
  /** Whether lines that the user typed are told, and not only that something was typed. Asked anew each time. */
  readonly tellsTypedText: () => boolean;
}

/** What one client has seen of every session: each byte of output is new to it once. */
export class ClientView implements Disposable {
  /** Many sessions may end at once, and each reply has its tokens to be counted. */
  private readonly turns = new TurnShare();
  private readonly cursors = new Map<Session, Cursor>();
  private readonly subscription: Disposable;

  constructor(private readonly options: ClientViewOptions) {
    this.subscription = options.manager.onDidRemove((session) => {
      this.cursors.get(session)?.reader.dispose();
      this.cursors.delete(session);
    });
  }

  /** What this client has not seen yet; from now on it has. `maxTokens` is at least 1. */
  takeNews(session: Session, maxTokens: number): Promise<News> {
    return this.turns.run(() => this.takeNow(session, maxTokens));
  }

  private async takeNow(session: Session, maxTokens: number): Promise<News> {
    const cursor = this.cursorOf(session);
    // First what ended the wait: drawing the screen takes time, and the program may go on meanwhile.
    const { waitingFor, stamp, isBlocked } = session.inputWait();
    const isScreen = session.isFullScreen;
    const screen = isScreen ? await session.screen() : undefined;
    const typedByUser = this.toTell(session.typedByUser.since(cursor.typedByUser));
    const isGivenBack = cursor.isHeld && session.holder === 'shared';
    cursor.typedByUser = session.typedByUser.mark;
    cursor.knownWait = stamp;
    cursor.isHeld = session.holder === 'user';
    const read = this.readText(session, cursor, maxTokens);
    const shown = screen === undefined ? read : { ...read, ...this.maskedScreen(screen) };
    return { ...shown, isScreen, waitingFor, isBlocked, typedByUser, isGivenBack };
  }

  /** Stamp of the wait for input that this client was told of: it need not be told again. */
  knownWait(session: Session): string | undefined {
    return this.cursors.get(session)?.knownWait;
  }

  /** Whether this client was told that the user has taken over. */
  knowsHeld(session: Session): boolean {
    return this.cursors.get(session)?.isHeld ?? false;
  }

  /** This client is told now, outside of a reply about the session, who holds it. */
  noteHolder(session: Session): void {
    this.cursorOf(session).isHeld = session.holder === 'user';
  }

  /** Offset in the log of the session from which on this client has not seen it. */
  position(session: Session): number {
    return this.cursors.get(session)?.reader.position ?? 0;
  }

  hasUnread(session: Session): boolean {
    const known = this.cursors.get(session);
    if (known !== undefined) return known.reader.hasUnread;
    // A reader keeps output in memory for it: none is made for a client that only looks at the list.
    const reader = session.createReader();
    try {
      return reader.hasUnread;
    } finally {
      reader.dispose();
    }
  }

  dispose(): void {
    this.subscription.dispose();
    for (const { reader } of this.cursors.values()) reader.dispose();
    this.cursors.clear();
  }

  private readText(
    session: Session,
    cursor: Cursor,
    maxTokens: number,
  ): Pick<News, 'output' | 'maskedSecrets' | 'isHeldBack'> {
    if (!this.options.redaction.isOn()) {
      return { output: cursor.reader.read(maxTokens), maskedSecrets: 0, isHeldBack: false };
    }
    let held = 0;
    const heldBytes = (line: Buffer): number => (held = isWriting(session) ? openSecretBytes(line) : 0);
    const read = cursor.reader.read(maxTokens, { keepsWords: true, heldBytes });
    const { text, count: maskedSecrets } = cursor.secrets.redact(read.text);
    return { output: { ...read, text }, maskedSecrets, isHeldBack: held > 0 };
  }

  private maskedScreen(screen: Screen): Pick<News, 'output' | 'maskedSecrets'> {
    const drawn = screenText(screen);
    const { text, count: maskedSecrets } = this.options.redaction.redact(drawn.text);
    return { output: { ...drawn, text }, maskedSecrets };
  }

  private toTell(typed: TypedByUser): TypedByUser {
    if (!this.options.tellsTypedText()) return { ...typed, lines: [] };
    return { ...typed, lines: typed.lines.map((line) => this.options.redaction.redact(line).text) };
  }

  private cursorOf(session: Session): Cursor {
    let cursor = this.cursors.get(session);
    if (cursor === undefined) {
      cursor = {
        reader: session.createReader(),
        secrets: new RedactedStream(),
        typedByUser: NOTHING_TYPED,
        knownWait: undefined,
        isHeld: false,
      };
      this.cursors.set(session, cursor);
    }
    return cursor;
  }
}

function openSecretBytes(line: Buffer): number {
  const text = line.toString('utf8');
  return Buffer.byteLength(text.slice(openSecretStart(text)));
}

/** A screen is never shortened: it is as large as somebody made it. */
function screenText({ rows }: Screen): CappedText {
  const text = `${rows.join('\n').trimEnd()}\n`;
  return { text, totalBytes: Buffer.byteLength(text), omittedBytes: 0, omittedLines: 0 };
}
