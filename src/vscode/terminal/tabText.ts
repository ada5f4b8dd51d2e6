/** The lines of our own in a tab, and what has to precede them whatever state the program left the terminal in. */

/**
 * Back to the normal screen, and no mouse, focus or paste reports any more; then a soft reset (colours, scroll region, cursor).
 * 47 and not 1049: that one would also move the cursor where there is nothing to come back from.
 */
const LEAVE_PROGRAM_MODES = '\u0018\u001b[?47l\u001b[?1000;1002;1003;1004;1006;2004l\u001b[!p';
const HIDE_CURSOR = '\u001b[?25l';
const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

/** Says how the program ended, in a terminal that takes no more keys. */
export function endLine(words: string, isAtLineStart: boolean): string {
  return `${LEAVE_PROGRAM_MODES}${isAtLineStart ? '' : '\r\n'}${DIM}${words}${PLAIN}\r\n${HIDE_CURSOR}`;
}

/** A remark on a line of its own in the middle of output. */
export function noticeLine(words: string): string {
  return `${PLAIN}\r\n${DIM}${words}${PLAIN}\r\n`;
}
