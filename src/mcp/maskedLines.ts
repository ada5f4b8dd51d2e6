/** Lines of an output that are read apart from the others: a line of a private key does not show by itself that it is secret. */
import { searchLines, type TranscriptLine } from '../session/log/transcript';
import type { Session } from '../session/session';
import { LinePattern } from '../session/text/linePattern';
import { KEY_MASK, redactUnfinished } from './redaction';
import { INNER_KEY_LINE, KEY_EDGE, KEY_EDGES } from './secretForms';

/** More lines than any private key has. */
const LONGEST_KEY_LINES = 512;
/** Beginnings and ends of keys that are looked for; an output with more is a list of keys, or no keys at all. */
const MAX_EDGES = 10_000;

interface KeyRange {
  readonly first: number;
  readonly last: number;
  /** Whether both ends are there; else only what looks like a line of a key is one. */
  readonly isWhole: boolean;
}

export interface MaskedLines<Line> {
  readonly lines: readonly Line[];
  /** Private keys of which lines were masked. */
  readonly keyCount: number;
}

/** Whether the program may be in the middle of a line: nobody is asked for the rest of it. */
export function isWriting(session: Session): boolean {
  const { waitingFor } = session.inputWait();
  return session.state.kind === 'running' && (waitingFor === 'none' || waitingFor === 'unknown');
}

/** The lines, without private keys, and without what may be the beginning of a secret in the line that is being written. */
export async function maskLines<Line extends TranscriptLine>(
  session: Session,
  { lines, totalLines }: { readonly lines: readonly Line[]; readonly totalLines: number },
): Promise<MaskedLines<Line>> {
  const { transcript } = session;
  const hit = new Set<KeyRange>();
  const ranges = await findKeys(session);
  const unfinished = transcript.unfinishedLine.length > 0 && isWriting(session) ? totalLines : undefined;
  const masked = lines.map((line) => {
    const text = line.bytes.toString('utf8');
    const key = ranges.find((range) => isKeyLine(range, line.number, text));
    if (key !== undefined) hit.add(key);
    if (key === undefined && line.number !== unfinished) return line;
    return { ...line, bytes: Buffer.from(key === undefined ? redactUnfinished(text).text : KEY_MASK) };
  });
  return { lines: masked, keyCount: hit.size };
}

async function findKeys({ transcript }: Session): Promise<readonly KeyRange[]> {
  const parsed = LinePattern.parse(KEY_EDGE);
  if (parsed.kind === 'invalid') throw new Error(parsed.message);
  const edges = await searchLines(transcript, { pattern: parsed.pattern, context: 0, maxMatches: MAX_EDGES });
  const ranges: KeyRange[] = [];
  let begun: number | undefined;
  const leaveOpen = (): void => {
    if (begun !== undefined) ranges.push({ first: begun, last: begun + LONGEST_KEY_LINES, isWhole: false });
    begun = undefined;
  };
  for (const { number, bytes } of edges.lines) {
    const text = bytes.toString('utf8');
    const [isBegin, isEnd] = [KEY_EDGES.begin.test(text), KEY_EDGES.end.test(text)];
    if (isBegin) leaveOpen();
    // A whole key in one line shows by itself.
    if (isBegin && !isEnd) begun = number;
    if (isBegin || !isEnd) continue;
    const isWhole = begun !== undefined && number - begun <= LONGEST_KEY_LINES;
    ranges.push({ first: isWhole && begun !== undefined ? begun : number - LONGEST_KEY_LINES, last: number, isWhole });
    begun = undefined;
  }
  leaveOpen();
  return ranges;
}

function isKeyLine({ first, last, isWhole }: KeyRange, number: number, text: string): boolean {
  if (number < first || number > last) return false;
  return isWhole || number === first || number === last || INNER_KEY_LINE.test(text);
}
