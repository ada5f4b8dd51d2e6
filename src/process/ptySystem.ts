import type { ExitStatus, TerminalSize } from './execProcess';

export interface PtySpawn {
  /** Path of an executable file. */
  readonly program: string;
  /** All arguments, the first of which is the name that the program goes by. */
  readonly argv: readonly string[];
  /** Entries `NAME=value`. */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly size: TerminalSize;
  /** What its stdin holds instead of the terminal. */
  readonly stdin: Buffer | undefined;
  /** Called once, after the program is reaped. */
  readonly onExit: (status: ExitStatus) => void;
}

export interface SpawnedPty {
  /** The master side, non-blocking; the caller owns and closes it. */
  readonly fd: number;
  readonly pid: number;
  /** Path of the other side, such as `/dev/pts/3`. */
  readonly device: string;
}

/** How this machine starts a program as the leader of a new session on a new terminal. */
export interface PtySystem {
  /** Whether a program or a folder that cannot be used makes it throw; else it would show as output and exit code 1. */
  readonly reportsFailures: boolean;
  /** Throws where the system refuses a terminal or the program. No descriptor of this process reaches the program. */
  spawn(options: PtySpawn): SpawnedPty;
  resize(fd: number, size: TerminalSize): void;
}
