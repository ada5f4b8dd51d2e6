import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { SessionWriteResult } from '../session/control';
import type { Session } from '../session/session';
import { describeState } from './statusLine';
import { errorResult } from './toolResult';

type RefusalReason = Extract<SessionWriteResult, { readonly kind: 'refused' }>['reason'];

/** Why nothing can be sent to a session now, and what to do instead; `undefined` when something can. */
export function findRefusal(session: Session): CallToolResult | undefined {
  if (session.state.kind === 'ended') return refusal(session, 'ended');
  return session.info.isTerminal ? undefined : refusal(session, 'noInput');
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
  // Whether they are the agent's to type is known by then, and nobody should wait for the program's answer to nothing.
  await nextTurn();
  return {
    isPending: () => result === undefined,
    refusal: () => (result?.kind === 'refused' ? refusal(session, result.reason) : undefined),
  };
}

function refusal(session: Session, reason: RefusalReason): CallToolResult {
  return errorResult(reason, `Nothing was sent: ${describeRefusal(session, reason)}`);
}

function describeRefusal(session: Session, reason: RefusalReason): string {
  const { id } = session.info;
  switch (reason) {
    case 'ended':
      return `session ${id} has ended (${describeState(session)}). What it printed is kept: read it with write_stdin, session_id ${id} and chars "".`;
    case 'noInput':
      return `session ${id} runs without a terminal (tty: false), so it takes no input. It goes on; poll it with chars "". To be able to type, start the command with tty: true.`;
    case 'userHolds':
      return `the user has taken over session ${id} and types there alone. Call write_stdin with session_id ${id} and chars "" to wait: it replies once the user has given the session back.`;
    case 'hiddenInput':
      return `session ${id} waits for input that it does not show, such as a password, which only the user types, into its terminal; they have been asked. Call write_stdin with session_id ${id} and chars "" to wait for that. To get out of it instead, send Ctrl-C "\\u0003" or Ctrl-D "\\u0004" alone, or end the session with terminate_session.`;
  }
}
