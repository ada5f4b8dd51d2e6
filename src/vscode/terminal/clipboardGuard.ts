/** The number of the command (OSC 52) with which a program sets, or asks for, the clipboard of whoever looks at its terminal. */
const CLIPBOARD_COMMAND = 52;
/** `ESC ]` or its one-character form, and a number, between whose digits terminals overlook control characters. */
// eslint-disable-next-line no-control-regex
const COMMAND_START = /(?:\u001b\]|\u009d)([\d\u0000-\u0006\u0008-\u0017\u0019\u001c-\u001f]*)/;
/** BEL, CAN, SUB, the terminator in either form, or before the ESC of another sequence. */
// eslint-disable-next-line no-control-regex
const COMMAND_END = /[\u0007\u0018\u001a\u009c]|\u001b\\|(?=\u001b[^\\])/;
const ESC = '\u001b';
/** A longer beginning of a command is no honest one: all of it is left out. */
const MAX_START_CHARS = 64;

/**
 * Leaves out of a text for a terminal what would write to the clipboard, or type what is in it into the program: that belongs to
 * the person, and output often comes from elsewhere. A command may be split between any two pieces of the text.
 */
export class ClipboardGuard {
  /** The end of the last piece, where it may be the beginning of a command. */
  private held = '';
  private isInCommand = false;

  filter(piece: string): string {
    let rest = this.held + piece;
    let passed = '';
    this.held = '';
    while (rest !== '') {
      if (this.isInCommand) {
        rest = this.afterCommand(rest);
        continue;
      }
      const start = COMMAND_START.exec(rest);
      if (start === null) {
        const isBegun = rest.endsWith(ESC);
        this.held = isBegun ? ESC : '';
        return passed + (isBegun ? rest.slice(0, -1) : rest);
      }
      const end = start.index + start[0].length;
      passed += rest.slice(0, start.index);
      const isWhole = end < rest.length;
      if (!isWhole && start[0].length <= MAX_START_CHARS) {
        this.held = start[0];
        return passed;
      }
      this.isInCommand = !isWhole || numberOf(start[1] ?? '') === CLIPBOARD_COMMAND;
      if (!this.isInCommand) passed += start[0];
      rest = rest.slice(end);
    }
    return passed;
  }

  /** What follows the command; empty where it goes on, or may do so. */
  private afterCommand(text: string): string {
    const end = COMMAND_END.exec(text);
    if (end === null) {
      this.held = text.endsWith(ESC) ? ESC : '';
      return '';
    }
    this.isInCommand = false;
    return text.slice(end.index + end[0].length);
  }
}

function numberOf(digits: string): number {
  return Number(digits.replaceAll(/\D/g, ''));
}
