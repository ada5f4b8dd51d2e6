import * as z from 'zod';
import { TERMINATE_GRACE_MS } from '../../session/session';
import { findSession } from '../findSession';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../limits';
import { sessionIdParameter } from '../parameters';
import { findHeldRefusal } from '../refusals';
import { sessionReply, sessionReplySchema } from '../sessionReply';
import { createTool } from '../tool';

export const terminateSessionTool = createTool({
  name: 'terminate_session',
  title: 'Terminal Session End',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  output: sessionReplySchema,
  input: () => z.strictObject({ session_id: sessionIdParameter }),
  description: () =>
    'Ends the program of a session and everything that it started: asks (SIGTERM, then SIGHUP), and kills (SIGKILL) what is left ' +
    `after ${TERMINATE_GRACE_MS} ms. Replies with the last output and how it ended. On a session that has ended already, ends the background processes that it left behind, such as daemons. Refused while the user has taken the session over.`,
  run: async (input, _call, context) => {
    const found = findSession(context, input.session_id);
    if (found.kind === 'missing') return found.result;
    const { session } = found;
    const refusal = findHeldRefusal(session, context.view, 'Nothing was ended');
    if (refusal !== undefined) return refusal;
    const hadEnded = session.state.kind === 'ended';
    await session.terminate('agent');
    return sessionReply({ session, news: await context.view.takeNews(session, DEFAULT_MAX_OUTPUT_TOKENS), hadEnded });
  },
});
