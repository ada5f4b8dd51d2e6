import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Session } from '../session/session';
import { describeState } from './statusLine';
import { errorResult } from './toolResult';

/** Why nothing can be sent to a session now, and what to do instead; `undefined` when something can. */
export function findRefusal(session: Session): CallToolResult | undefined {
  const { id, isTerminal } = session.info;
  if (session.state.kind === 'ended') return endedRefusal(session);
  if (isTerminal) return undefined;
  return errorResult(
    'noInput',
    `Nothing was sent: session ${id} runs without a terminal (tty: false), so it takes no input. It goes on; poll it with chars "". To be able to type, start the command with tty: true.`,
  );
}

/** Characters on their way to a program, which may read them late, or never. */
export interface Typing {
  isPending(): boolean;
  /** Present when the session turned out to have ended before it took them. */
  refusal(): CallToolResult | undefined;
}

export function startTyping(session: Session, chars: string): Typing {
  let outcome: 'pending' | 'written' | 'refused' = 'pending';
  void session.write(Buffer.from(chars, 'utf8'), 'agent').then(({ kind }) => {
    outcome = kind;
  });
  return {
    isPending: () => outcome === 'pending',
    refusal: () => (outcome === 'refused' ? endedRefusal(session) : undefined),
  };
}

function endedRefusal(session: Session): CallToolResult {
  const { id } = session.info;
  return errorResult(
    'ended',
    `Nothing was sent: session ${id} has ended (${describeState(session)}). What it printed is kept: read it with write_stdin, session_id ${id} and chars "".`,
  );
}
