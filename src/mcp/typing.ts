import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { SessionWriteResult } from '../session/control';
import type { Session } from '../session/session';
import { writeRefusal } from './refusals';

/** Why nothing can be sent to a session now, and what to do instead; `undefined` when something can. */
export function findRefusal(session: Session): CallToolResult | undefined {
  if (session.state.kind === 'ended') return writeRefusal(session, 'ended');
  return session.info.isTerminal ? undefined : writeRefusal(session, 'noInput');
}

/** Characters on their way to a program, which may read them late, or never. */
export interface Typing {
  isPending(): boolean;
  /** Present when they were not the agent's to type, or the session turned out to have ended before it took them. */
  refusal(): CallToolResult | undefined;
}

export async function startTyping(session: Session, chars: string): Promise<Typing> {
  let result: SessionWriteResult | undefined;
  void session.write(Buffer.from(chars, 'utf8'), 'agent').then((final) => {
    result = final;
  });
  // Whether they are the agent's to type is known by then: nobody has to wait for an answer to what was not sent.
  await nextTurn();
  return {
    isPending: () => result === undefined,
    refusal: () => (result?.kind === 'refused' ? writeRefusal(session, result.reason) : undefined),
  };
}
