/**
 * Questions that programs ask their terminal, and the answers where there is none: a program that gets no answer waits, or takes
 * the next keys for it. With a terminal attached that one answers, so that each question is answered once.
 */
import { renderTerminal, type ScreenSource } from './screen';

/** `ESC [` … : device attributes, status and cursor position, modes, the name of the terminal (xterm's control sequences). */
// eslint-disable-next-line no-control-regex
const CSI_QUERY = /^\x1b\[(?:[>=]?0?c|\??[56]n|\??\d+\$p|>0?q)$/;
/** `ESC ]` … : the colours of text, background and cursor. */
// eslint-disable-next-line no-control-regex
const COLOUR_QUERY = /^\x1b\](10|11|12);\?\x1b\\$/;

/** Of VS Code's dark theme: what a program that asks is most likely to be shown on in the end. */
const COLOURS: Readonly<Record<string, string>> = {
  10: 'rgb:cccc/cccc/cccc',
  11: 'rgb:1e1e/1e1e/1e1e',
  12: 'rgb:cccc/cccc/cccc',
};

export function isTerminalQuery(sequence: string): boolean {
  return CSI_QUERY.test(sequence) || COLOUR_QUERY.test(sequence);
}

/** What a terminal that has shown all of `source` would answer; empty where it would say nothing. */
export async function answerQuery(sequence: string, source: ScreenSource): Promise<string> {
  const [, colour] = COLOUR_QUERY.exec(sequence) ?? [];
  if (colour !== undefined) return `\x1b]${colour};${COLOURS[colour] ?? ''}\x1b\\`;
  const terminal = await renderTerminal(source);
  let answer = '';
  terminal.onData((data) => {
    answer += data;
  });
  await new Promise<void>((resolve) => {
    terminal.write(sequence, resolve);
  });
  terminal.dispose();
  return answer;
}
