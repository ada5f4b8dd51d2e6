import type { SplitLine } from './commandLine';
import type { Dialect } from './dialect';
import { LineScanner } from './lineScanner';

/** In UTF-16 units. Longer than what a person reads before saying yes, and than most systems take as one argument. */
export const MAX_LINE_UNITS = 100_000;

/** The commands that a line gives to a shell, and what is in it that this cannot tell. */
export function splitLine(line: string, dialect: Dialect): SplitLine {
  if (line.length > MAX_LINE_UNITS) {
    const what = `more than ${MAX_LINE_UNITS} characters`;
    return { commands: [], obstacles: [{ what, span: { start: MAX_LINE_UNITS, end: line.length } }] };
  }
  const { commands, obstacles } = new LineScanner(line, dialect).scan();
  if (dialect !== 'other') return { commands, obstacles };
  const what = 'the syntax of a shell that is not understood';
  return { commands, obstacles: [{ what, span: { start: 0, end: line.length } }, ...obstacles] };
}
