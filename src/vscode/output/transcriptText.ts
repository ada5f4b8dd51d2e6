import type { LogPiece } from '../../session/log/byteLog';
import type { ReadableText } from '../../session/text/textReader';
import type { Localization } from '../localization';

/** In one text for people. VS Code colours and folds nothing in documents of 20 MB (or 300,000 lines), and of 50 MB takes none. */
export const MAX_TEXT_BYTES = 16 * 1_024 * 1_024;
/** Of a longer transcript the end has more to say than the beginning. */
const HEAD_BYTES = MAX_TEXT_BYTES / 4;
const BYTES_PER_MEGABYTE = 1_024 * 1_024;
const NEWLINE = 10;

export interface TranscriptText {
  readonly text: string;
  /** Bytes of the transcript that are not in it; a line in the text says so where they were. */
  readonly omittedBytes: number;
}

/** Pieces that are shown together, or a gap of such that are not. */
interface Run {
  readonly isShown: boolean;
  readonly pieces: LogPiece[];
}

/** The whole transcript for people, its spooled part included; of a very long one the beginning and the end. */
export function transcriptText({ log, unfinishedLine }: ReadableText, l10n: Localization): TranscriptText {
  const tailStart = log.totalBytes - (MAX_TEXT_BYTES - HEAD_BYTES);
  const isTooLong = log.totalBytes > MAX_TEXT_BYTES;
  const isShown = ({ start, end, read }: LogPiece): boolean =>
    read !== undefined && (!isTooLong || end <= HEAD_BYTES || start >= tailStart);
  const runs: Run[] = [];
  for (const piece of log.pieces()) {
    const last = runs.at(-1);
    if (last?.isShown === isShown(piece)) last.pieces.push(piece);
    else runs.push({ isShown: isShown(piece), pieces: [piece] });
  }
  const parts = runs.map((run, index) => {
    if (!run.isShown) return gapNote(run.pieces, l10n);
    const bytes = Buffer.concat(run.pieces.map((piece) => piece.read?.() ?? Buffer.alloc(0)));
    return wholeLines(bytes, { isBegun: index > 0, isCut: index < runs.length - 1 });
  });
  const gaps = runs.filter((run) => !run.isShown).flatMap(({ pieces }) => pieces);
  return {
    text: [...parts, unfinishedLine.toString('utf8')].join(''),
    omittedBytes: gaps.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

function gapNote(pieces: readonly LogPiece[], l10n: Localization): string {
  const bytes = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const lines = pieces.reduce((sum, { newlines }) => sum + newlines, 0);
  const amount = l10n.t('{0} lines, {1} bytes', lines.toLocaleString('en-US'), bytes.toLocaleString('en-US'));
  const isDropped = pieces.some(({ read }) => read === undefined);
  const why = isDropped
    ? l10n.t('no longer kept: there was no room for them')
    : l10n.t('left out: at most {0} MB are shown', MAX_TEXT_BYTES / BYTES_PER_MEGABYTE);
  return `[… ${amount} ${why} …]\n`;
}

/** Text beside a gap ends its last line, so that the note stands on one of its own; half a character is not shown. */
function wholeLines(bytes: Buffer, { isBegun, isCut }: { readonly isBegun: boolean; readonly isCut: boolean }): string {
  let text = bytes.toString('utf8');
  if (isBegun) text = text.replace(/^\ufffd+/, '');
  if (!isCut) return text;
  return bytes.at(-1) === NEWLINE ? text : `${text.replace(/\ufffd+$/, '')}\n`;
}
