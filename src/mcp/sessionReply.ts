import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { HOLDERS } from '../session/control';
import { isElsewhere } from '../session/sessionInfo';
import { WAITING_FOR } from '../session/terminal/inputWatch';
import { END_REASONS } from '../session/sessionState';
import { wallTimeMs } from './durations';
import { resourceUri } from './resourceUris';
import { type StatusFacts, statusLine } from './statusLine';
import { textBlocks } from './toolResult';

/**
 * The reply about one session. It holds the output and the status line as well: hosts such as VS Code and Codex give the model
 * the structured content in place of the text blocks.
 */
export const sessionReplySchema = z.object({
  output: z
    .string()
    .describe("The program's new output since the last reply to this client, as clean text; or its screen, see isScreen."),
  status: z.string().describe('How the session stands and how to go on, in words.'),
  sessionId: z.int(),
  isRunning: z.boolean(),
  waitingFor: z
    .enum(WAITING_FOR)
    .describe(
      'Whether the program waits for input: input, hidden (not shown, such as a password), screen (a full-screen program waits for keys), none, or unknown on this machine.',
    ),
  isScreen: z.boolean().describe('Whether output is the screen of a full-screen program, in place of new text.'),
  isMatched: z.boolean().optional().describe('Present with wait_for: whether that was printed.'),
  exitCode: z.int().optional().describe('Present when the program ended by an exit code.'),
  signal: z.string().optional().describe('Present when the program ended by a signal, such as SIGTERM.'),
  endReason: z.enum(END_REASONS).optional().describe('Present when the session has ended.'),
  wallTimeMs: z.int().describe('How long the program has run, or ran, in milliseconds.'),
  totalBytes: z.int().describe('Size of the new output before it was shortened.'),
  omitted: z
    .object({ bytes: z.int(), lines: z.int() })
    .describe('What was left out of the new output: bytes, and line ends among them.'),
  maskedSecrets: z.int().optional().describe('Present when secrets were masked in the output: how many.'),
  isOutputHeld: z
    .boolean()
    .optional()
    .describe('Present when ended: whether background processes still held the output then.'),
  isInputPending: z.boolean().optional().describe('True when the program has not read all of the input yet.'),
  holder: z.enum(HOLDERS).describe('user: the user has taken over, and what you send is refused until they give it back.'),
  typedByUserBytes: z
    .int()
    .describe('Bytes that the user typed into the session since the last reply, without hidden input.'),
  typedByUserLines: z
    .array(z.string())
    .optional()
    .describe('Lines among them that the output shows too: these are what the user typed.'),
  isHiddenTypedByUser: z
    .boolean()
    .optional()
    .describe('True when the user typed input that is not shown, such as a password.'),
  effectiveYieldMs: z.int().optional().describe('Present when yield_time_ms was cut to what one call waits at most.'),
  environmentId: z.string().optional().describe('Present when it runs on another machine: the environment there.'),
  shell: z.string(),
  isLogin: z.boolean().describe("Whether the shell has read the user's login profile."),
  cwd: z.string(),
  isTerminal: z.boolean(),
});

export type SessionReply = z.infer<typeof sessionReplySchema>;

/** The reply of every tool that concerns one session: its new output, then how it stands. */
export function sessionReply(facts: StatusFacts): CallToolResult {
  const { output } = facts.news;
  const status = statusLine(facts);
  const structuredContent = { ...structuredReply(facts, status) };
  const links = output.omittedBytes > 0 ? [transcriptLink(facts)] : [];
  return { content: [...textBlocks(output.text), ...links, ...textBlocks(status)], structuredContent };
}

/** Where the whole of an output is that the reply has only in part. */
function transcriptLink({ session: { info } }: StatusFacts): ResourceLink {
  const uri = resourceUri(info.id, 'transcript');
  return { type: 'resource_link', uri, name: `session-${info.id}-transcript`, mimeType: 'text/plain' };
}

function structuredReply(facts: StatusFacts, status: string): SessionReply {
  const { session, news, cutYieldMs, waited, hasPattern = false, isInputPending = false } = facts;
  const { info, state } = session;
  const { output, isScreen, waitingFor, typedByUser } = news;
  const end = state.kind === 'ended' ? state : undefined;
  return {
    output: output.text,
    status,
    sessionId: info.id,
    isRunning: state.kind === 'running',
    waitingFor,
    isScreen,
    ...(hasPattern && { isMatched: waited?.end === 'matched' }),
    ...(end?.status?.kind === 'code' && { exitCode: end.status.code }),
    ...(end?.status?.kind === 'signal' && { signal: end.status.signal }),
    ...(end !== undefined && { endReason: end.reason, isOutputHeld: end.isOutputHeld }),
    wallTimeMs: wallTimeMs(session),
    totalBytes: output.totalBytes,
    omitted: { bytes: output.omittedBytes, lines: output.omittedLines },
    ...(news.maskedSecrets > 0 && { maskedSecrets: news.maskedSecrets }),
    ...(isInputPending && { isInputPending }),
    holder: session.holder,
    typedByUserBytes: typedByUser.bytes,
    ...(typedByUser.lines.length > 0 && { typedByUserLines: [...typedByUser.lines] }),
    ...(typedByUser.hasHidden && { isHiddenTypedByUser: true }),
    ...(cutYieldMs !== undefined && { effectiveYieldMs: cutYieldMs }),
    ...(isElsewhere(info) && { environmentId: info.environment.id }),
    shell: info.shell,
    isLogin: info.isLogin,
    cwd: info.cwd,
    isTerminal: info.isTerminal,
  };
}
