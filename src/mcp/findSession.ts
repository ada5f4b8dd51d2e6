import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Session } from '../session/session';
import { ENDED_MEMORY_BYTES, ENDED_RETENTION_MS, MAX_ENDED_SESSIONS, type Shortage } from '../session/endedSessions';
import type { GoneSession, SessionManager } from '../session/sessionManager';
import { MS_PER_MINUTE } from './durations';
import type { Redaction } from './redaction';
import { describeCommand, describeState } from './statusLine';
import { errorResult } from './toolResult';

const BYTES_PER_MIB = 1_024 * 1_024;

const SHORTAGES: Readonly<Record<Shortage, string>> = {
  count: `at most ${MAX_ENDED_SESSIONS} ended sessions stay`,
  memory: `ended sessions may take ${ENDED_MEMORY_BYTES / BYTES_PER_MIB} MiB of memory together`,
  disk: 'the output of all sessions had no more room on disk',
};

/** More live sessions than this are named by list_sessions only. */
const MAX_NAMED_SESSIONS = 20;

/** The sessions, and what of their commands a client may see. */
export interface SessionsInSight {
  readonly manager: SessionManager;
  readonly redaction: Redaction;
}

export type FoundSession =
  { readonly kind: 'found'; readonly session: Session } | { readonly kind: 'missing'; readonly result: CallToolResult };

export function findSession({ manager, redaction }: SessionsInSight, id: number): FoundSession {
  const lookup = manager.find(id);
  if (lookup.kind === 'found') return lookup;
  const reason =
    lookup.kind === 'unknown' ? `There is no session ${id}, and there never was one.` : describeGone(id, lookup);
  return {
    kind: 'missing',
    result: errorResult(`${lookup.kind}Session`, `${reason} ${describeLiveSessions({ manager, redaction })}`),
  };
}

/** How a session that is no longer kept ended, and why it is not. */
export function describeGone(id: number, gone: GoneSession): string {
  const minutes = ENDED_RETENTION_MS / MS_PER_MINUTE;
  const reason =
    gone.kind === 'expired'
      ? `ended sessions stay for ${minutes} minutes`
      : `it was dropped before its ${minutes} minutes were over, as the oldest: ${SHORTAGES[gone.shortage]}`;
  return `Session ${id} ended (${describeState(gone)}) and is no longer kept: ${reason}.`;
}

/** Which session ids would have been right. */
export function describeLiveSessions({ manager, redaction }: SessionsInSight): string {
  const sessions = manager.list();
  if (sessions.length === 0) return 'No session exists now: start one with exec_command.';
  const named = sessions.slice(-MAX_NAMED_SESSIONS).map((session) => {
    return `${session.info.id} (${describeCommand(session, redaction)}, ${describeState(session)})`;
  });
  const others = sessions.length > named.length ? ` and ${sessions.length - named.length} older ones` : '';
  return `These exist: ${named.join('; ')}${others}. Details: list_sessions.`;
}
