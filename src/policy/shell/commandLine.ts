/** A stretch of a command line in UTF-16 units. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** A word of a command. */
export interface Word {
  /** As the program gets it. Undefined if that is only known when the line runs. */
  readonly text: string | undefined;
  /** Whether none of it is quoted or escaped: only then is it a word of the shell's own language. */
  readonly isBare: boolean;
  readonly span: LineSpan;
}

/** A command that a line may run: its program and arguments, without assignments and redirections. */
export interface FoundCommand {
  readonly words: readonly Word[];
}

/** What keeps a line from being judged by its commands alone. */
export interface Obstacle {
  /** What the line has, to go on with after "it has". */
  readonly what: string;
  readonly span: LineSpan;
}

/** A command line in parts. Without obstacles, no other commands than these can run. */
export interface SplitLine {
  readonly commands: readonly FoundCommand[];
  readonly obstacles: readonly Obstacle[];
}
