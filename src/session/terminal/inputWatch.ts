import type { InputDemand } from '../../process/execProcess';

/**
 * - `input`: somebody has to type; `hidden`: and it will not be shown, as for a password; `screen`: a full-screen program waits
 *   for keys
 * - `none`: it does not wait for its terminal
 * - `unknown`: it cannot be told on this machine
 */
export const WAITING_FOR = ['input', 'hidden', 'screen', 'none', 'unknown'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

export interface InputWait {
  readonly waitingFor: WaitingFor;
  /** While somebody has to type: the same for as long as it is one and the same wait. */
  readonly stamp: string | undefined;
  /** Nothing but input can wake it; else it may go on by itself, like a server. */
  readonly isBlocked: boolean;
  /** It takes lines among other things: more often a server or a connection, which only happens to listen, than a question. */
  readonly isListening: boolean;
}

/** Input on its way through the kernel's terminal takes microseconds; after this it has arrived. */
const IN_FLIGHT_MS = 1;
/** What the kernel hands over in one piece; of a longer input the program reads a part, and waits for the next. */
const HANDED_OVER_AT_ONCE_BYTES = 1_024;
/** A program that has waited this long after a long input has all of it. */
const SETTLING_MS = 20;
/**
 * A program that listens to its terminal among other things, such as anything on Node, may as well be starting a server: it
 * counts as waiting once it has been idle and quiet for this long. One that wants single keys shows a prompt or a menu; one that
 * takes lines is more often a server or a connection, which only happens to listen.
 */
const LISTENING_FOR_KEYS_QUIET_MS = 250;
const LISTENING_FOR_LINES_QUIET_MS = 2_000;
/** The same right after something was typed: it was woken by the input, and answers. */
const LISTENING_QUIET_AFTER_WRITE_MS = 60;
/** How long after something was typed that holds. */
const ANSWERING_MS = 250;

/** How long a program that has asked its terminal something is taken to wait for that answer, and not for a person. */
const ANSWER_MS = 500;

/** A trivial command is over before this: it should not pay for being looked at. */
const FIRST_LOOK_MS = 10;
/** What was typed is answered in a millisecond or two by most programs. */
const FIRST_LOOK_AFTER_WRITE_MS = 1;
/** Two looks fit into the 300 ms in which a prompt has to be noticed; ten a second cost nothing. */
const LONGEST_LOOK_MS = 100;

/** Line feed, carriage return, Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\. */
const HANDING_OVER: readonly number[] = [0x0a, 0x0d, 0x03, 0x04, 0x1a, 0x1c];

type Waiting = Extract<InputDemand, { readonly kind: 'reading' | 'listening' }>;

/** Watches one program for the moment when it waits for input. */
export class InputWatch {
  private lastOutputMs: number;
  private lastLookMs: number;
  private lastWriteMs = -Infinity;
  private stampBeforeWrite: string | undefined;
  private lastQueryMs = -Infinity;
  private openQueries = 0;
  /** Whether a long input may still be on its way, piece by piece. */
  private isSettling = false;
  private idle: { readonly stamp: string; readonly sinceMs: number } | undefined;

  constructor(
    private readonly ask: () => InputDemand,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.lastOutputMs = this.lastLookMs = nowMs();
  }

  noteOutput(): void {
    this.lastOutputMs = this.nowMs();
  }

  /**
   * Call right before bytes are sent, with what was asked then: whoever reads has not taken them until it has been awake.
   * Returns whether they wake anybody; of those that do not, no arrival is to be noted.
   */
  noteWrite(bytes: Buffer, demand: InputDemand): boolean {
    if (bytes.length > HANDED_OVER_AT_ONCE_BYTES) this.isSettling = true;
    else if ('isLineMode' in demand && demand.isLineMode && !bytes.some(isHandingOver)) return false;
    this.stampBeforeWrite = 'stamp' in demand ? demand.stamp : undefined;
    this.lastWriteMs = this.nowMs();
    return true;
  }

  /** The last of what was sent has reached the terminal. */
  noteArrival(): void {
    this.lastWriteMs = this.nowMs();
  }

  /** The program has asked its terminal something. */
  noteQuery(): void {
    this.lastQueryMs = this.nowMs();
    this.openQueries++;
  }

  /** The terminal has answered one question. */
  noteAnswer(): void {
    this.openQueries = Math.max(0, this.openQueries - 1);
  }

  /** Whether a look may find anything. A program that prints without a pause is at work: it is looked at now and then. */
  isWorthALook(): boolean {
    const now = this.nowMs();
    return this.isAnswering || now - this.lastOutputMs >= FIRST_LOOK_MS || now - this.lastLookMs >= LONGEST_LOOK_MS;
  }

  look(isFullScreen: boolean): InputWait {
    this.lastLookMs = this.nowMs();
    const demand = this.ask();
    if (demand.kind === 'unknown' || demand.kind === 'none') return notWaiting(demand.kind);
    const { kind, stamp, isHidden, isLineMode } = demand;
    const hasTakenInput = stamp !== this.stampBeforeWrite;
    // Not every terminal answers everything: what is late will not come any more.
    if (this.nowMs() - this.lastQueryMs >= ANSWER_MS) this.openQueries = 0;
    const awaitsAnswer = this.openQueries > 0;
    if (!this.hasBeenIdle(demand) || !hasTakenInput || awaitsAnswer) return notWaiting('none');
    const isBlocked = kind === 'reading';
    const isListening = !isBlocked && isLineMode && !isHidden;
    return { waitingFor: isHidden ? 'hidden' : isFullScreen ? 'screen' : 'input', stamp, isBlocked, isListening };
  }

  /** Whether something was typed just now, so that what the program prints is likely the answer. */
  get isAnswering(): boolean {
    return this.nowMs() - this.lastWriteMs < ANSWERING_MS;
  }

  /** Milliseconds until the next look is worth its cost. */
  nextLookMs(): number {
    const now = this.nowMs();
    if (this.isAnswering) return Math.max(FIRST_LOOK_AFTER_WRITE_MS, now - this.lastWriteMs);
    const quietMs = now - Math.max(this.lastOutputMs, this.lastWriteMs);
    return Math.min(LONGEST_LOOK_MS, Math.max(FIRST_LOOK_MS, quietMs));
  }

  private hasBeenIdle({ kind, stamp, isLineMode }: Waiting): boolean {
    const now = this.nowMs();
    if (this.idle?.stamp !== stamp) this.idle = { stamp, sinceMs: now };
    if (kind === 'reading') return this.hasTakenInput(now, this.idle.sinceMs);
    const lastActivityMs = Math.max(this.lastOutputMs, this.lastWriteMs);
    const quietMs = now - Math.max(lastActivityMs, this.idle.sinceMs);
    if (this.isAnswering) return quietMs >= LISTENING_QUIET_AFTER_WRITE_MS;
    return quietMs >= (isLineMode ? LISTENING_FOR_LINES_QUIET_MS : LISTENING_FOR_KEYS_QUIET_MS);
  }

  /** Whether all that was typed has reached a program that reads, and has done so since `sinceMs`. */
  private hasTakenInput(now: number, sinceMs: number): boolean {
    if (this.isSettling) {
      this.isSettling = now - Math.max(this.lastWriteMs, sinceMs) < SETTLING_MS;
      return !this.isSettling;
    }
    // Who read before the write and reads again has taken it; of anybody else the input may still be on its way.
    const hasReadSince = this.stampBeforeWrite !== undefined;
    return hasReadSince || now - this.lastWriteMs >= IN_FLIGHT_MS;
  }
}

/** Whether a terminal that collects lines hands over what it has, or interrupts its program: until then nobody is woken. */
function isHandingOver(byte: number): boolean {
  return HANDING_OVER.includes(byte);
}

export function notWaiting(waitingFor: 'none' | 'unknown'): InputWait {
  return { waitingFor, stamp: undefined, isBlocked: false, isListening: false };
}
