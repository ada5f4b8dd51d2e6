import type { EnvironmentFailure } from '../process/execEnvironment';
import type { ExecProcess, ProcessSpec, StartFailure, TerminalSize } from '../process/execProcess';
import type { Session } from './session';
import type { Environment } from './sessionEnvironment';
import type { Starter } from './starter';

/** A program as somebody else has put it together. */
export type Program = Pick<ProcessSpec, 'argv' | 'arg0' | 'envPolicy'>;

export interface SessionRequest {
  /** A command line for the shell; `undefined` for an interactive shell. */
  readonly command: string | undefined;
  /** Run as it is, and with no variables but its own, in place of `command`, which tells people of it; on this machine. */
  readonly program?: Program | undefined;
  /** Where it runs; default: the default environment. */
  readonly environmentId?: string | undefined;
  /** Default: the manager's; on another machine, that one's. */
  readonly shell?: string | undefined;
  /** Whether the shell reads the user's login profile. */
  readonly isLogin?: boolean;
  /** Default: the manager's; on another machine, that one's, from where a relative one starts. Absolute on this one. */
  readonly cwd?: string | undefined;
  readonly env?: Environment | undefined;
  /** Whether pagers print instead of waiting for keys; default: the manager's choice, which depends on who starts it. */
  readonly hasAgentPagers?: boolean | undefined;
  /** `undefined`: pipes instead of a terminal. */
  readonly terminal: TerminalSize | undefined;
  /** What the program's stdin holds, with the end after it; `undefined`: the terminal, or nothing. */
  readonly stdin?: Buffer | undefined;
  readonly title?: string | undefined;
  readonly startedBy: Starter;
  /** What the program calls itself that asks for it. */
  readonly client?: string | undefined;
}

/** Why there is no session: nothing ran. */
export type SessionFailure =
  | StartFailure
  | EnvironmentFailure
  | {
      readonly kind: 'tooManySessions' | 'shutDown';
      /** A sentence for people and models: what was wrong and what to do. */
      readonly message: string;
    };

export type SessionStart =
  { readonly kind: 'started'; readonly session: Session } | { readonly kind: 'failed'; readonly failure: SessionFailure };

export type ProgramStart =
  /** The process is the session's: whoever else has it listens, writes through the session, and never disposes it. */
  | { readonly kind: 'started'; readonly session: Session; readonly process: ExecProcess }
  | { readonly kind: 'failed'; readonly failure: SessionFailure };
