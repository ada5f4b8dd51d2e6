/**
 * The longest that one call holds back its reply, in milliseconds. Hosts give up on calls that stay silent much longer, and a
 * host that still waits can ask again: the program runs on either way.
 */
export const MAX_YIELD_MS = 600_000;

/** How long `exec_command` waits unless asked otherwise: most commands end within it, and people bear it when one does not. */
export const EXEC_YIELD_MS = 10_000;
/** How long `write_stdin` waits after it has sent something: enough for a prompt to answer. */
export const WRITE_YIELD_MS = 250;
/** How long `write_stdin` waits when it sends nothing: whoever only asks for more can wait for some. */
export const POLL_YIELD_MS = 5_000;

/** Size of the output in one reply unless asked otherwise, in tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 10_000;

/** The largest message that is taken from a client, in bytes: far above any command line, far below what hurts. */
export const MAX_MESSAGE_BYTES = 8 * 1_024 * 1_024;
