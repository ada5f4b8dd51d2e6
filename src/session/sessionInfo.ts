import type { TerminalSize } from '../process/execProcess';
import type { Starter } from './starter';

/** What is known of a session from its start on. */
export interface SessionInfo {
  /** Found by it, never used again. */
  readonly id: number;
  /** Short name for tabs and lists. */
  readonly title: string;
  /** The command line as it was given; `undefined` for an interactive shell. */
  readonly command: string | undefined;
  readonly shell: string;
  /** Whether the shell has read the user's login profile. */
  readonly isLogin: boolean;
  readonly cwd: string;
  readonly isTerminal: boolean;
  /** Of the terminal at the start; `undefined` without one. */
  readonly size: TerminalSize | undefined;
  /** Names of the host's variables that the environment policy kept from it. */
  readonly omittedVariables: readonly string[];
  readonly startedBy: Starter;
  /** What the program calls itself that asked for it, such as `Visual Studio Code`; `undefined` where it did not say. */
  readonly client: string | undefined;
  /** Whether a person can type into its terminal: then hidden input is theirs alone. */
  readonly isAttended: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
