import { type ExecEnvironment, LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import type { TerminalSize } from '../process/execProcess';
import type { Starter } from './starter';

/** An environment, as it was called when the session was started. */
export type SessionPlace = Pick<ExecEnvironment, 'id' | 'label'>;

/** What is known of a session from its start on. */
export interface SessionInfo {
  /** Found by it, never used again. */
  readonly id: number;
  /** Short name for tabs and lists. */
  readonly title: string;
  /** The command line as it was given; `undefined` for an interactive shell. */
  readonly command: string | undefined;
  /** Where it runs. */
  readonly environment: SessionPlace;
  readonly shell: string;
  /** Whether the shell has read the user's login profile. */
  readonly isLogin: boolean;
  readonly cwd: string;
  readonly isTerminal: boolean;
  /** Of the terminal at the start; `undefined` without one. */
  readonly size: TerminalSize | undefined;
  /** Names of the host's variables that the environment policy kept from it; of another machine's nothing is known. */
  readonly omittedVariables: readonly string[];
  readonly startedBy: Starter;
  /** What the program calls itself that asked for it, such as `Visual Studio Code`; `undefined` where it did not say. */
  readonly client: string | undefined;
  /** Whether a person can type into its terminal: then hidden input is theirs alone. */
  readonly isAttended: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Whether it runs on another machine than this. */
export function isElsewhere({ environment }: SessionInfo): boolean {
  return environment.id !== LOCAL_ENVIRONMENT_ID;
}
