/**
 * The port between sessions and whatever runs their programs: this machine, or another one over a wire.
 * A backend starts processes; it knows nothing of sessions, caps, agents or tabs.
 */
import type { Event } from '../base/emitter';
import type { ShellEnvironmentPolicy } from './shellEnvironmentPolicy';

export interface TerminalSize {
  /** Columns, 1 to 65,535. */
  readonly cols: number;
  /** Rows, 1 to 65,535. */
  readonly rows: number;
}

export interface ProcessSpec {
  /** The program (a path, or a name looked up on the PATH of `env`) and its arguments. */
  readonly argv: readonly [string, ...string[]];
  /** What the program is told as its own name; `argv[0]` unless given. Nothing to a terminal of node-pty or Windows. */
  readonly arg0?: string | undefined;
  /** Absolute path of an existing directory. */
  readonly cwd: string;
  /** The whole environment of the program; nothing is added to it unless there is an `envPolicy`. */
  readonly env: Readonly<Record<string, string>>;
  /** With one, the machine that runs the program gives it what this leaves of its own environment, and `env` goes on top. */
  readonly envPolicy?: ShellEnvironmentPolicy | undefined;
  /** With a size the program gets a PTY of that size; without, pipes for stdout and stderr. */
  readonly terminal: TerminalSize | undefined;
  /**
   * What its stdin holds, with the end after it. `undefined`: the terminal; without one, nothing. `'open'`: without a terminal,
   * what is written, until `endInput`.
   */
  readonly stdin?: Buffer | 'open' | undefined;
  /** For a backend whose processes outlive the program that asks for them: kept with the process, and handed back with it. */
  readonly note?: (() => string) | undefined;
}

export const START_FAILURES = [
  'badCwd',
  'programNotFound',
  'nulByte',
  'argumentTooLong',
  'noTerminal',
  'spawnFailed',
  /** The machine that should run it cannot be reached, or cannot do what was asked of it. */
  'hostFailed',
] as const;

/** Why a program was not started. Nothing ran. */
export interface StartFailure {
  readonly kind: (typeof START_FAILURES)[number];
  /** A sentence for people and models: what was wrong, with the value, and what to do. */
  readonly message: string;
}

export type StartResult =
  { readonly kind: 'started'; readonly process: ExecProcess } | { readonly kind: 'failed'; readonly failure: StartFailure };

export type OutputStream = 'terminal' | 'stdout' | 'stderr';

/** How a program ended: by an exit code (0 to 255) or by a signal, never both. */
export type ExitStatus =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** The machine that runs it cannot be reached any more; `message` is a sentence that says which and why. */
  | { readonly kind: 'lost'; readonly message: string };

/**
 * Events of one process carry one gapless sequence that starts at 1, in this order: any number of `output`, one `exited`,
 * possibly more `output` (of background children that still hold the terminal or pipe), one `closed`. A `gap` may stand where
 * `output` may.
 * When `exited` is pushed, everything that the program itself wrote has been pushed before it.
 */
export type ProcessEvent =
  | {
      readonly type: 'output';
      readonly seq: number;
      readonly stream: OutputStream;
      /** Valid only during the call of the listener: the memory is used again. Copy what you keep. */
      readonly chunk: Buffer;
    }
  /** Output that a broken connection to another machine has cost, by its count. */
  | { readonly type: 'gap'; readonly seq: number; readonly bytes: number }
  | {
      readonly type: 'exited';
      readonly seq: number;
      readonly status: ExitStatus;
      /** Whether somebody else, such as a background child, still held the terminal or pipe open. */
      readonly isOutputHeld: boolean;
    }
  | { readonly type: 'closed'; readonly seq: number };

export type WriteResult =
  | { readonly kind: 'written' }
  /** The program has ended, or was started without an input. */
  | { readonly kind: 'refused'; readonly reason: 'ended' | 'noInput' };

export type TerminateResult = 'ended' | 'killed';

/** What a program waits for, as far as the machine that it runs on can tell. */
export type InputDemand =
  /** It cannot be known. */
  | { readonly kind: 'unknown' }
  /** It does not wait for its terminal: it works, sleeps, waits for something else, or has none. */
  | { readonly kind: 'none' }
  /**
   * - `reading`: it is blocked until somebody types; nothing else can wake it
   * - `listening`: it is blocked until somebody types or something else happens: it may be at work, like a server
   */
  | {
      readonly kind: 'reading' | 'listening';
      /** The terminal hands over whole lines; else single keys, as to a line editor or a menu. */
      readonly isLineMode: boolean;
      /** The terminal takes a line without showing it, as for a password. */
      readonly isHidden: boolean;
      /** The same in two answers if the program has neither been awake nor used processor time in between. */
      readonly stamp: string;
    };

/** What may not be done to a program now, because a person has it: a sentence for people and models; `undefined` where it may. */
export interface ProcessGuard {
  findWriteRefusal(bytes: Buffer): string | undefined;
  /** Of its end, and of signals. */
  findEndRefusal(): string | undefined;
}

export interface ExecProcess {
  /** Process id on the machine where it runs; 0 where that machine does not tell. */
  readonly pid: number;
  /** Whether it goes on when the program that asked for it goes away, and can be had back. */
  readonly outlivesUs: boolean;
  /** Subscribe in the same turn in which the process was handed over: nothing is pushed before the next one. */
  readonly onEvent: Event<ProcessEvent>;
  /** Of a program that is shared with a person: to be asked before anything is written, signalled or ended for somebody else. */
  readonly guard?: ProcessGuard;
  /** Writes all bytes, after all that was written before. Resolves when the terminal took them, or when it is gone. */
  write(bytes: Buffer): Promise<WriteResult>;
  /** Answered at once, without starting a process; what it printed before it began to wait has been pushed by then. */
  inputDemand(): InputDemand;
  /** Ends an input that was started `'open'`, after all that was written before. Does nothing to any other. */
  endInput(): void;
  /**
   * Stops reading what the program prints, which then has to wait; what is on its way already may still be pushed. Called once
   * before each `resumeOutput`. An end is not reported before the output that comes before it.
   */
  pauseOutput(): void;
  resumeOutput(): void;
  /** Does nothing without a terminal or after the end. */
  resize(size: TerminalSize): void;
  /** Sends one signal (`SIGINT`, …) to the process group of the program. Does nothing after the end. */
  signal(name: NodeJS.Signals): void;
  /**
   * Ends the program and everything in its operating-system session: asks, then kills after {@link TERMINATE_GRACE_MS}.
   * Resolves when the program is gone and says which of the two it took. Safe to call again.
   */
  terminate(): Promise<TerminateResult>;
  /** Stops listening and frees descriptors. Never ends a running program: terminate first. */
  dispose(): void;
}

/** How long a program may take to end itself once asked, before it is killed. Docker gives 10 s; people watch this one. */
export const TERMINATE_GRACE_MS = 2_000;

export interface ExecBackend {
  start(spec: ProcessSpec): Promise<StartResult>;
}
