import { StringDecoder } from 'node:string_decoder';
import type { RecordedEvent, Recording } from '../../session/log/rawOutput';
import type { Localization } from '../localization';
import { LineEnds } from '../terminal/lineEnds';

export interface AsciicastSubject {
  readonly title: string;
  readonly command: string | undefined;
  readonly shell: string;
  readonly isTerminal: boolean;
}

/** What sessions with and without a terminal are told, see `sessionEnvironment`. */
const TERMINAL_TYPE = 'xterm-256color';
const NO_TERMINAL_TYPE = 'dumb';
const MS_PER_SECOND = 1_000;

/**
 * A recording in the format asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2): a header, then one event a line. It
 * has what the terminal was sent and its sizes, and no input. Where the beginning is missing, a marker says so.
 */
export function asciicast(recording: Recording, subject: AsciicastSubject, l10n: Localization): string {
  const { startedAt, size, missingBytes, events } = recording;
  const header = {
    version: 2,
    width: size.cols,
    height: size.rows,
    timestamp: Math.floor(startedAt / MS_PER_SECOND),
    title: subject.title,
    ...(subject.command !== undefined && { command: subject.command }),
    env: { SHELL: subject.shell, TERM: subject.isTerminal ? TERMINAL_TYPE : NO_TERMINAL_TYPE },
  };
  const lines: unknown[] = [header];
  if (missingBytes > 0) {
    lines.push([0, 'm', l10n.t('the first {0} bytes are not in this recording', missingBytes.toLocaleString('en-US'))]);
  }
  const textOf = outputDecoder(subject.isTerminal);
  for (const event of events) {
    if (event.kind === 'resized') {
      lines.push([secondsOf(event), 'r', `${String(event.size.cols)}x${String(event.size.rows)}`]);
      continue;
    }
    const text = textOf(event.bytes);
    if (text !== '') lines.push([secondsOf(event), 'o', text]);
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Text of output; a character that is split between two outputs comes with the second. */
function outputDecoder(isTerminal: boolean): (bytes: Buffer) => string {
  const decoder = new StringDecoder('utf8');
  const lineEnds = new LineEnds();
  return (bytes) => decoder.write(isTerminal ? bytes : lineEnds.push(bytes));
}

/** To the microsecond, as asciinema writes it. */
function secondsOf({ atMs }: RecordedEvent): number {
  return Math.round(atMs * MS_PER_SECOND) / MS_PER_SECOND ** 2;
}
