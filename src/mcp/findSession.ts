import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Session } from '../session/session';
import { ENDED_RETENTION_MS, type SessionManager } from '../session/sessionManager';
import { MS_PER_MINUTE } from './durations';
import { describeCommand, describeState } from './statusLine';
import { errorResult } from './toolResult';

/** More live sessions than this are named by list_sessions only. */
const MAX_NAMED_SESSIONS = 20;

export type FoundSession =
  { readonly kind: 'found'; readonly session: Session } | { readonly kind: 'missing'; readonly result: CallToolResult };

export function findSession(manager: SessionManager, id: number): FoundSession {
  const lookup = manager.find(id);
  if (lookup.kind === 'found') return lookup;
  const reason =
    lookup.kind === 'expired'
      ? `Session ${id} ended and is no longer kept: ended sessions stay for ${ENDED_RETENTION_MS / MS_PER_MINUTE} minutes, fewer when many end.`
      : `There is no session ${id}, and there never was one.`;
  return { kind: 'missing', result: errorResult(`${lookup.kind}Session`, `${reason} ${describeLiveSessions(manager)}`) };
}

/** Which session ids would have been right. */
export function describeLiveSessions(manager: SessionManager): string {
  const sessions = manager.list();
  if (sessions.length === 0) return 'No session exists now: start one with exec_command.';
  const named = sessions.slice(-MAX_NAMED_SESSIONS).map((session) => {
    return `${session.info.id} (${describeCommand(session)}, ${describeState(session)})`;
  });
  const others = sessions.length > named.length ? ` and ${sessions.length - named.length} older ones` : '';
  return `These exist: ${named.join('; ')}${others}. Details: list_sessions.`;
}
