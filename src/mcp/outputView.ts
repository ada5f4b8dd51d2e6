import { textOrBinaryName } from '../session/text/binaryText';
import type { Screen } from '../session/terminal/screen';
import type { LineRange, SearchResult, TranscriptLine } from '../session/log/transcript';

/** A part of a session's output, as text for a model and as facts for programs. */
export interface OutputView {
  readonly text: string;
  readonly status: string;
  readonly facts: { readonly totalLines?: number; readonly matchCount?: number; readonly isIncomplete?: boolean };
}

const DROPPED = ' A part of the output was too much to be kept: its lines are counted, but cannot be read.';

export function linesView({ lines, totalLines, isIncomplete }: LineRange): OutputView {
  const first = lines[0]?.number;
  const last = lines.at(-1)?.number;
  const which = first === undefined ? 'None of these lines exist' : `Lines ${first} to ${last ?? first}`;
  return {
    text: textOrBinaryName(lines.map((line) => `${textOf(line)}\n`).join(''), sizeOf(lines)),
    status: `${which}, of ${count(totalLines)} lines so far.${isIncomplete ? DROPPED : ''}`,
    facts: { totalLines, isIncomplete },
  };
}

/** As grep prints it: numbers, a colon at matches, a dash at lines around them, and a line between what does not touch. */
export function searchView({ lines, matchCount, totalLines, isIncomplete }: SearchResult): OutputView {
  const shown = lines.map((line, index) => {
    const previous = lines[index - 1];
    const hasGap = previous !== undefined && previous.number + 1 < line.number && hasContext(lines);
    return `${hasGap ? '--\n' : ''}${line.number}${line.isMatch ? ':' : '-'}${textOf(line)}\n`;
  });
  const shownMatches = lines.filter((line) => line.isMatch).length;
  const others = shownMatches < matchCount ? `, of which the first ${count(shownMatches)} are shown` : '';
  return {
    text: textOrBinaryName(shown.join(''), sizeOf(lines)),
    status: `${count(matchCount)} of ${count(totalLines)} lines match${others}.${isIncomplete ? DROPPED : ''}`,
    facts: { totalLines, matchCount, isIncomplete },
  };
}

export function screenView({ rows, cursor }: Screen): OutputView {
  return {
    text: `${rows.join('\n').trimEnd()}\n`,
    status: `The screen has ${rows.length} rows; the cursor is in row ${cursor.row + 1}, column ${cursor.column + 1}.`,
    facts: {},
  };
}

/** With their line ends. */
function sizeOf(lines: readonly TranscriptLine[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes.length + 1, 0);
}

function hasContext(lines: SearchResult['lines']): boolean {
  return lines.some((line) => !line.isMatch);
}

function textOf({ bytes }: TranscriptLine): string {
  return bytes.toString('utf8');
}

function count(amount: number): string {
  return amount.toLocaleString('en-US');
}
