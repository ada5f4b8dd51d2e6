import * as z from 'zod';
import type { Session } from '../../session/session';
import { HOLDERS } from '../../session/control';
import { isElsewhere } from '../../session/sessionInfo';
import { STARTERS } from '../../session/starter';
import { END_REASONS } from '../../session/sessionState';
import { WAITING_FOR } from '../../session/terminal/inputWatch';
import { MAX_ENDED_SESSIONS, ENDED_RETENTION_MS } from '../../session/endedSessions';
import { describeDuration, MS_PER_MINUTE, wallTimeMs } from '../durations';
import { describeCommand, describeStarter, describeState } from '../statusLine';
import { createTool, type ToolContext } from '../tool';
import { textBlocks } from '../toolResult';

const listedSessionSchema = z.object({
  sessionId: z.int(),
  title: z.string(),
  command: z.string().optional().describe('Absent for an interactive shell.'),
  isRunning: z.boolean(),
  waitingFor: z.enum(WAITING_FOR).describe('Whether it waits for input, as in the reply of exec_command.'),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  endReason: z.enum(END_REASONS).optional(),
  wallTimeMs: z.int().describe('How long the program has run, or ran, in milliseconds.'),
  ageMs: z.int().describe('How long ago it was started, in milliseconds.'),
  hasUnread: z.boolean().describe('Whether there is output that this client has not been given.'),
  startedBy: z.enum(STARTERS).describe('The user, or an agent: in the chat of the editor, on a command line, or Codex.'),
  client: z.string().optional().describe('What the program of the agent calls itself.'),
  holder: z.enum(HOLDERS).describe('user: the user has taken over, and what agents type is refused.'),
  isTerminal: z.boolean(),
  environmentId: z.string().optional().describe('Present when it runs on another machine: the environment there.'),
  cwd: z.string(),
  shell: z.string(),
  omittedVariables: z
    .array(z.string())
    .optional()
    .describe('Names of variables that the environment policy kept from it; a program that misses one may need it in env.'),
  pid: z.int(),
});

export type ListedSession = z.infer<typeof listedSessionSchema>;

export const listSessionsTool = createTool({
  name: 'list_sessions',
  title: 'Terminal Sessions',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  output: z.object({ sessions: z.array(listedSessionSchema) }),
  input: () => z.strictObject({}),
  description: () =>
    'Lists the sessions that run, and those that ended in the last ' +
    `${ENDED_RETENTION_MS / MS_PER_MINUTE} minutes (${MAX_ENDED_SESSIONS} at most, fewer when they hold much output), whoever started them: how each stands, and whether it has output that you have not seen.`,
  run: async (_input, _call, context) => {
    const sessions = context.manager.list();
    const text =
      sessions.length === 0 ? 'No session exists now.' : sessions.map((session) => describe(session, context)).join('\n');
    return {
      content: textBlocks(text),
      structuredContent: { sessions: sessions.map((session) => structured(session, context)) },
    };
  },
});

function describe(session: Session, { view, redaction }: ToolContext): string {
  const { info } = session;
  const title = info.title === info.command ? '' : ` (${JSON.stringify(redaction.redact(info.title).text)})`;
  return [
    `${info.id}: ${describeCommand(session, redaction)}${title}`,
    `${describeState(session)} after ${describeDuration(wallTimeMs(session))}`,
    ...describeInputWait(session),
    ...(view.hasUnread(session) ? ['has output that you have not seen'] : []),
    ...(session.holder === 'user' ? ['held by the user'] : []),
    `started by ${describeStarter(session)}`,
    ...(isElsewhere(info) ? [`in environment ${info.environment.id}`] : []),
    `in ${info.cwd}`,
    info.shell,
    ...(info.isTerminal ? [] : ['without a terminal']),
    `pid ${session.pid}`,
  ].join(', ');
}

function describeInputWait(session: Session): string[] {
  const { waitingFor } = session.inputWait();
  if (waitingFor === 'none' || waitingFor === 'unknown') return [];
  return [waitingFor === 'hidden' ? 'waits for hidden input' : 'waits for input'];
}

function structured(session: Session, { view, redaction: { redact } }: ToolContext): ListedSession {
  const { info, state } = session;
  const end = state.kind === 'ended' ? state : undefined;
  return {
    sessionId: info.id,
    title: redact(info.title).text,
    ...(info.command !== undefined && { command: redact(info.command).text }),
    isRunning: state.kind === 'running',
    waitingFor: session.inputWait().waitingFor,
    ...(end?.status?.kind === 'code' && { exitCode: end.status.code }),
    ...(end?.status?.kind === 'signal' && { signal: end.status.signal }),
    ...(end !== undefined && { endReason: end.reason }),
    wallTimeMs: wallTimeMs(session),
    ageMs: Math.max(0, Date.now() - info.startedAt),
    hasUnread: view.hasUnread(session),
    startedBy: info.startedBy,
    ...(info.client !== undefined && { client: info.client }),
    holder: session.holder,
    isTerminal: info.isTerminal,
    ...(isElsewhere(info) && { environmentId: info.environment.id }),
    cwd: info.cwd,
    shell: info.shell,
    ...(info.omittedVariables.length > 0 && { omittedVariables: [...info.omittedVariables] }),
    pid: session.pid,
  };
}
