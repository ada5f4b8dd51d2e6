import type { Disposable } from '../../base/disposable';

/** One piece of what comes out of a terminal emulator, in order. */
export type TerminalInput =
  /** What a person typed, pasted or clicked, or another extension sent. */
  | { readonly kind: 'keys'; readonly text: string }
  /** The terminal's answer to a question that the program asked, or its word that it has the focus or lost it. */
  | { readonly kind: 'report'; readonly text: string }
  /** The terminal's answer to a question that we asked. */
  | { readonly kind: 'progress' };

/** The answer to a progress query: the mode is unknown (0). */
const PROGRESS_ANSWER = '\u001b[?7727;0$y';

/** Every report that xterm.js sends; the progress answer comes first, since it has the shape of a mode report. */
const REPORTS = new RegExp(
  [
    '(?<progress>\\u001b\\[\\?7727;\\d\\$y)',
    // Cursor position, device status, device attributes, modes, window size, focus.
    '\\u001b\\[\\??\\d+;\\d+(?:;\\d+)?R',
    '\\u001b\\[\\??[03]n',
    '\\u001b\\[[?>=][\\d;]*c',
    '\\u001b\\[\\??\\d+;\\d\\$y',
    '\\u001b\\[\\?\\d+u',
    '\\u001b\\[[4689];\\d+;\\d+t',
    '\\u001b\\[[IO]',
    // Colours; settings, version and unit, each as a string with its terminator.
    '\\u001b\\](?:4;\\d+|1[0-9]);rgb:[^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001bP[01]?\\$r[^\\u001b]*\\u001b\\\\',
    '\\u001bP[>!]\\|[^\\u001b]*\\u001b\\\\',
  ].join('|'),
  'g',
);

/** A lone Escape key looks like the beginning of an answer. This is long for two pieces of one answer and short for a person. */
const SPLIT_WAIT_MS = 30;

/** Tells keys, reports and progress answers apart, also where they arrive joined, or an answer arrives in two pieces. */
export class TerminalInputSplitter implements Disposable {
  private held = '';
  private heldTimer: NodeJS.Timeout | undefined;

  /** `isAwaitingAnswer`: whether what looks like the beginning of a progress answer may be one. */
  constructor(
    private readonly isAwaitingAnswer: () => boolean,
    private readonly handle: (input: TerminalInput) => void,
  ) {}

  push(data: string): void {
    clearTimeout(this.heldTimer);
    const text = this.held + data;
    const held = this.isAwaitingAnswer() ? beginningOfAnswer(text) : 0;
    this.held = text.slice(text.length - held);
    this.split(text.slice(0, text.length - held));
    if (held > 0) this.heldTimer = setTimeout(() => this.release(), SPLIT_WAIT_MS);
  }

  dispose(): void {
    clearTimeout(this.heldTimer);
  }

  private release(): void {
    const text = this.held;
    this.held = '';
    this.split(text);
  }

  private split(text: string): void {
    let from = 0;
    for (const match of text.matchAll(REPORTS)) {
      this.handleKeys(text.slice(from, match.index));
      if (match.groups?.['progress'] === undefined) this.handle({ kind: 'report', text: match[0] });
      else this.handle({ kind: 'progress' });
      from = match.index + match[0].length;
    }
    this.handleKeys(text.slice(from));
  }

  private handleKeys(text: string): void {
    if (text !== '') this.handle({ kind: 'keys', text });
  }
}

/** How many characters at the end of `text` could be the first of a progress answer. */
function beginningOfAnswer(text: string): number {
  for (let length = Math.min(PROGRESS_ANSWER.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(PROGRESS_ANSWER.slice(0, length))) return length;
  }
  return 0;
}
