/** Why an agent may not do something to a session now, and what it can do instead. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { SessionWriteResult } from '../session/control';
import type { Session } from '../session/session';
import type { ClientView } from './clientView';
import { describeState } from './statusLine';
import { errorResult } from './toolResult';

type WriteRefusal = Extract<SessionWriteResult, { readonly kind: 'refused' }>['reason'];

export function writeRefusal(session: Session, reason: WriteRefusal): CallToolResult {
  return errorResult(reason, `Nothing was sent: ${describeRefusal(session, reason)}`);
}

/** For whatever else only the one who holds a session may do; `undone`: what did not happen. */
export function findHeldRefusal(session: Session, view: ClientView, undone: string): CallToolResult | undefined {
  if (session.holder !== 'user') return undefined;
  view.noteHolder(session);
  return errorResult('userHolds', `${undone}: ${describeRefusal(session, 'userHolds')}`);
}

function describeRefusal(session: Session, reason: WriteRefusal): string {
  const { id } = session.info;
  const toWait = `Call write_stdin with session_id ${id} and chars "" to wait`;
  switch (reason) {
    case 'ended':
      return `session ${id} has ended (${describeState(session)}). What it printed is kept: read it with write_stdin, session_id ${id} and chars "".`;
    case 'noInput':
      return `session ${id} runs without a terminal (tty: false), so it takes no input. It goes on; poll it with chars "". To be able to type, start the command with tty: true.`;
    case 'userHolds':
      return `the user has taken over session ${id} and works there alone. ${toWait}: the reply comes when the user gives it back.`;
    case 'hiddenInput':
      return `session ${id} waits for input that it does not show, such as a password. Only the user types that, into its terminal, as the window tells them. ${toWait} for it. To get out of it instead, send Ctrl-C "\\u0003" or Ctrl-D "\\u0004" and nothing else, or call terminate_session.`;
  }
}
