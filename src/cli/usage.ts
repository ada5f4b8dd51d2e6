/** What the user got wrong on the command line: told in one sentence, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The exit code for a command line that was not understood, as with most programs. */
export const USAGE_EXIT_CODE = 2;
