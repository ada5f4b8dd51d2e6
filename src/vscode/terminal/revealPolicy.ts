import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { EXEC_YIELD_MS } from '../../mcp/limits';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import type { RevealMode } from '../contributions';

/** An agent may wait for a reply much longer than usual, or get none for a start: people should see by then what goes on. */
const LONG_RUNNING_MS = EXEC_YIELD_MS;

export interface RevealPolicyOptions {
  readonly manager: SessionManager;
  /** Asked anew for each session. */
  readonly mode: () => RevealMode;
  /** Gives the session a tab. Called at most once for each. */
  readonly offer: (session: Session) => void;
}

/** Decides when a session that an agent started gets a tab by itself; see `REVEAL_MODES`. */
export class RevealPolicy implements Disposable {
  private readonly store = new DisposableStore();
  /** Sessions that may yet get a tab, each with its timer. */
  private readonly candidates = new Map<
    Session,
    { readonly mode: RevealMode; readonly timer: NodeJS.Timeout | undefined }
  >();

  constructor(private readonly options: RevealPolicyOptions) {
    const { manager } = options;
    this.store.add(manager.onDidAdd((session) => this.consider(session)));
    this.store.add(manager.onDidChange((session) => this.noteChange(session)));
    this.store.add(manager.onDidLeaveRunning((session) => this.noteLeftRunning(session)));
    this.store.add(toDisposable(() => [...this.candidates.keys()].forEach((session) => this.forget(session))));
  }

  /** The session has a tab, or needs none any more. */
  forget(session: Session): void {
    clearTimeout(this.candidates.get(session)?.timer);
    this.candidates.delete(session);
  }

  dispose(): void {
    this.store.dispose();
  }

  private consider(session: Session): void {
    // Who starts a session in the window shows it with the focus. What is over from the start was lost with another window.
    if (session.info.startedBy === 'user' || session.state.kind === 'ended') return;
    const mode = this.options.mode();
    if (mode === 'always') this.options.offer(session);
    if (mode !== 'longRunning' && mode !== 'onInput') return;
    const timer = mode === 'longRunning' ? setTimeout(() => this.offer(session), LONG_RUNNING_MS) : undefined;
    this.candidates.set(session, { mode, timer });
  }

  private noteChange(session: Session): void {
    if (!this.candidates.has(session)) return;
    const { state, waitingFor } = session;
    const isAsking = waitingFor === 'input' || waitingFor === 'hidden' || waitingFor === 'screen';
    if (state.kind === 'ended') this.forget(session);
    else if (isAsking) this.offer(session);
  }

  private noteLeftRunning(session: Session): void {
    if (this.candidates.get(session)?.mode === 'longRunning') this.offer(session);
  }

  private offer(session: Session): void {
    this.forget(session);
    this.options.offer(session);
  }
}
