import * as z from 'zod';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { REPLAY_BYTES } from '../../session/log/rawOutput';
import { capBytes } from '../../session/text/capText';
import { PatternTimeoutError } from '../../session/text/linePattern';
import type { Session } from '../../session/session';
import { type LineRange, readLines, readTail, type SearchResult, searchLines } from '../../session/log/transcript';
import { findSession } from '../findSession';
import { maxOutputTokensParameter, patternParameter, sessionIdParameter } from '../parameters';
import { maskLines } from '../maskedLines';
import { linesView, screenView, searchView, type OutputView } from '../outputView';
import { rawView } from '../rawView';
import type { Redaction } from '../redaction';
import { describeMasked } from '../statusLine';
import { createTool } from '../tool';
import { errorResult, textBlocks } from '../toolResult';

/** Lines that one call reads: more than any reply holds, few enough to be held in memory. */
const MAX_LINES = 10_000;
const DEFAULT_TAIL_LINES = 100;
const DEFAULT_MAX_MATCHES = 100;
const MAX_MATCHES = 1_000;
const MAX_CONTEXT_LINES = 50;

const lineNumber = z.int().min(1).optional();

const inputOf = () =>
  z.strictObject({
    session_id: sessionIdParameter,
    start_line: lineNumber.describe('First line to read, counted from 1.'),
    end_line: lineNumber.describe(`Last line to read; at most ${MAX_LINES} lines in one call.`),
    tail: z
      .int()
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe(`Read the last lines, so many. Without any choice: the last ${DEFAULT_TAIL_LINES}.`),
    search: patternParameter.optional().describe('A regular expression (JavaScript): read the lines that match.'),
    ignore_case: z.boolean().default(false).describe('Whether search takes upper and lower case for the same.'),
    context: z.int().min(0).max(MAX_CONTEXT_LINES).default(0).describe('Lines to show before and after each match.'),
    max_matches: z.int().min(1).max(MAX_MATCHES).default(DEFAULT_MAX_MATCHES).describe('Further matches are only counted.'),
    screen: z.boolean().optional().describe('true: what the terminal shows now, for full-screen programs.'),
    start_byte: z
      .int()
      .min(0)
      .optional()
      .describe(
        `First byte to read, counted from 0, of the output as the program wrote it, such as binary data; in base64. The last ${REPLAY_BYTES} bytes are kept. A terminal writes each line end as CR LF: run it with tty: false for bytes that nothing has changed.`,
      ),
    byte_count: z
      .int()
      .min(1)
      .max(REPLAY_BYTES)
      .default(REPLAY_BYTES)
      .describe('Bytes to read from start_byte on: fewer where max_output_tokens has no room for more.'),
    max_output_tokens: maxOutputTokensParameter,
  });

type Input = z.output<ReturnType<typeof inputOf>>;

export const readOutputTool = createTool({
  name: 'read_output',
  title: 'Terminal Output',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  output: z.object({
    output: z
      .string()
      .describe(
        'The lines; those of a search with their numbers before them, matches with ":", others with "-". With start_byte: base64.',
      ),
    status: z.string(),
    sessionId: z.int(),
    totalLines: z.int().optional().describe('Lines of the whole output so far.'),
    matchCount: z.int().optional().describe('Present with search: lines that match, also those not shown.'),
    startByte: z.int().optional().describe('Present with start_byte, and so are the next two.'),
    byteCount: z.int().optional().describe('Bytes that output stands for.'),
    totalBytes: z.int().optional().describe('Bytes of the whole output so far.'),
    isIncomplete: z.boolean().optional().describe('True where a part of the output was too much to be kept.'),
    omitted: z.object({ bytes: z.int(), lines: z.int() }).describe('What max_output_tokens left out here.'),
  }),
  input: inputOf,
  description: () =>
    'Reads anything that a session has printed, as often as needed and also after its end: lines by number, the last lines, a search, the screen, or bytes. Runs nothing again, and does not count as read for write_stdin. Give one of start_line/end_line, tail, search, screen or start_byte.',
  run: async (input, _call, context) => {
    const { redaction } = context;
    const found = findSession(context, input.session_id);
    if (found.kind === 'missing') return found.result;
    const fault = findFault(input);
    if (fault !== undefined) return errorResult('badArguments', fault);
    if (input.start_byte !== undefined) return readBytes(found.session, { ...input, start: input.start_byte }, redaction);
    let view: OutputView;
    let maskedKeys = 0;
    try {
      view = await readView(found.session, input, {
        isRedacting: redaction.isOn,
        onMaskedKeys: (count) => {
          maskedKeys += count;
        },
      });
    } catch (error) {
      if (error instanceof PatternTimeoutError) return errorResult('badArguments', error.message);
      throw error;
    }
    const { text, count: maskedSecrets } = redaction.redact(view.text);
    const capped = capBytes(Buffer.from(text), input.max_output_tokens);
    const { text: output, omittedBytes: bytes, omittedLines: lines } = capped;
    const structured = { output, ...view.facts, sessionId: input.session_id, omitted: { bytes, lines } };
    const shortened = bytes === 0 ? '' : ' Shortened to max_output_tokens: ask for fewer lines at once.';
    const status = `${view.status}${shortened} ${describeMasked(maskedSecrets + maskedKeys)}`.trim();
    return { content: textBlocks(output, status), structuredContent: { ...structured, status } };
  },
});

interface Masking {
  readonly isRedacting: () => boolean;
  readonly onMaskedKeys: (count: number) => void;
}

interface ByteRange extends Input {
  readonly start: number;
}

function readBytes(session: Session, range: ByteRange, { isOn: isRedacting }: Redaction): CallToolResult {
  if (isRedacting()) {
    const message = 'Secrets are masked in what you get, and bytes would show them: only lines and the screen can be read.';
    return errorResult('masked', message);
  }
  const { start, byte_count: byteCount, max_output_tokens: maxTokens, session_id: sessionId } = range;
  const part = session.readRaw(start, byteCount);
  if (start < part.keptFrom) {
    return errorResult(
      'notKept',
      `Byte ${start} is no longer kept: of the output as it was written, bytes ${part.keptFrom} to ${part.totalBytes - 1} are. Its lines may still be there; to have every byte, write the output to a file.`,
    );
  }
  const { base64, status, omittedBytes: bytes, facts } = rawView(part, maxTokens);
  const structuredContent = { output: base64, status, sessionId, ...facts, omitted: { bytes, lines: 0 } };
  return { content: textBlocks(base64, status), structuredContent };
}

function findFault({ start_line: start, end_line: end, tail, search, screen, start_byte: byte }: Input): string | undefined {
  const choices = [start ?? end, tail, search, screen === true ? screen : undefined, byte];
  if (choices.filter((choice) => choice !== undefined).length > 1) {
    return 'read_output reads one thing at a time: give either start_line/end_line, or tail, or search, or screen, or start_byte.';
  }
  if (start !== undefined && end !== undefined && end < start) return `end_line ${end} lies before start_line ${start}.`;
  return undefined;
}

async function readView(session: Session, input: Input, { isRedacting, onMaskedKeys }: Masking): Promise<OutputView> {
  const { transcript } = session;
  const masked = async <Found extends LineRange | SearchResult>(found: Found): Promise<Found> => {
    if (!isRedacting()) return found;
    const { lines, keyCount } = await maskLines(session, found);
    onMaskedKeys(keyCount);
    return { ...found, lines };
  };
  if (input.screen === true) return screenView(await session.screen());
  if (input.search !== undefined) {
    const pattern = input.ignore_case ? input.search.ignoringCase() : input.search;
    const { context, max_matches: maxMatches } = input;
    return searchView(await masked(await searchLines(transcript, { pattern, context, maxMatches })));
  }
  if (input.start_line === undefined && input.end_line === undefined) {
    return linesView(await masked(await readTail(transcript, input.tail ?? DEFAULT_TAIL_LINES)));
  }
  const first = input.start_line ?? Math.max(1, (input.end_line ?? 1) - MAX_LINES + 1);
  const last = Math.min(input.end_line ?? Infinity, first + MAX_LINES - 1);
  return linesView(await masked(await readLines(transcript, first, last)));
}
