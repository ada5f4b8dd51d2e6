import type { Readable, Writable } from 'node:stream';

/** The world of a program on the command line. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface Subcommand {
  readonly name: string;
  /** One line for the list of subcommands. */
  readonly summary: string;
  /** All of its help, without a line end. */
  readonly help: string;
  /** Runs to its end and returns the exit code. Throws a `UsageError` for arguments that it does not know. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
