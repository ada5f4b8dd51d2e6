import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type {
  ExecProcess,
  InputDemand,
  ProcessEvent,
  ProcessGuard,
  TerminalSize,
  TerminateResult,
  WriteResult,
} from '../process/execProcess';
import type { Session } from './session';

export interface SharedProcessOptions {
  readonly session: Session;
  /** Of the session. */
  readonly process: ExecProcess;
  /** Something is written to it, not by a person. */
  readonly onWrite: () => void;
}

const HELD =
  'the user has taken over this terminal and works there alone. Wait until the user has given it back, and look at its output now and then.';
const HIDDEN =
  'the program waits for input that it does not show, such as a password. Only the user types that, into its terminal. Wait for it. To get out of it instead, send Ctrl-C or Ctrl-D and nothing else.';

/**
 * The program of a session for somebody who knows no sessions: gives all that it prints as it is, and holds to what a session
 * holds agents to. Owns nothing: the session goes on when it is disposed.
 */
export class SharedProcess implements ExecProcess {
  private readonly events = new Emitter<ProcessEvent>();
  private readonly subscription: Disposable;
  private isPaused = false;

  readonly onEvent = this.events.event;
  readonly guard: ProcessGuard;

  /** To be made in the turn in which the session was started. */
  constructor(private readonly options: SharedProcessOptions) {
    const { session, process } = options;
    this.subscription = process.onEvent((event) => {
      this.events.fire(event);
    });
    this.guard = {
      findWriteRefusal: (bytes) => {
        const reason = session.findRefusal(bytes);
        if (reason === undefined) return undefined;
        return `Nothing was sent: ${reason === 'userHolds' ? HELD : HIDDEN}`;
      },
      findEndRefusal: () => (session.holder === 'user' ? `Nothing was ended: ${HELD}` : undefined),
    };
  }

  get pid(): number {
    return this.options.process.pid;
  }

  get outlivesUs(): boolean {
    return this.options.process.outlivesUs;
  }

  async write(bytes: Buffer): Promise<WriteResult> {
    this.options.onWrite();
    const result = await this.options.session.write(bytes, 'agent');
    const isEnded = result.kind === 'refused' && result.reason === 'ended';
    return result.kind === 'written' || isEnded ? result : { kind: 'refused', reason: 'noInput' };
  }

  inputDemand(): InputDemand {
    return this.options.process.inputDemand();
  }

  endInput(): void {
    this.options.process.endInput();
  }

  pauseOutput(): void {
    this.isPaused = true;
    this.options.process.pauseOutput();
  }

  resumeOutput(): void {
    this.isPaused = false;
    this.options.process.resumeOutput();
  }

  resize(size: TerminalSize): void {
    this.options.session.resize(size);
  }

  signal(name: NodeJS.Signals): void {
    this.options.process.signal(name);
  }

  terminate(): Promise<TerminateResult> {
    return this.options.session.terminate('agent');
  }

  dispose(): void {
    this.subscription.dispose();
    this.events.dispose();
    // The user goes on to look at it.
    if (this.isPaused) this.resumeOutput();
  }
}
