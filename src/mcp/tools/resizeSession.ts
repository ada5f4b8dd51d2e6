import * as z from 'zod';
import { findSession } from '../findSession';
import { columnsParameter, rowsParameter, sessionIdParameter } from '../parameters';
import { findHeldRefusal } from '../refusals';
import { describeState } from '../statusLine';
import { createTool } from '../tool';
import { errorResult, textBlocks } from '../toolResult';

export const resizeSessionTool = createTool({
  name: 'resize_session',
  title: 'Terminal Size',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  output: z.object({ sessionId: z.int(), cols: z.int(), rows: z.int() }),
  input: () =>
    z.strictObject({
      session_id: sessionIdParameter,
      cols: columnsParameter.describe('Columns.'),
      rows: rowsParameter.describe('Rows.'),
    }),
  description: () =>
    'Gives the terminal of a running session another size, which its program is told: more columns keep tables from wrapping, more rows show more of a full-screen program. While the user looks at its tab, the size of that comes back with the next change of the window.',
  run: async ({ session_id: id, cols, rows }, _call, context) => {
    const found = findSession(context, id);
    if (found.kind === 'missing') return found.result;
    const { session } = found;
    if (!session.info.isTerminal) {
      return errorResult('noTerminal', `Session ${id} runs without a terminal (tty: false), so it has no size.`);
    }
    if (session.state.kind === 'ended') {
      return errorResult('ended', `Session ${id} has ended (${describeState(session)}): its terminal is gone.`);
    }
    const refusal = findHeldRefusal(session, context.view, 'The size is as before');
    if (refusal !== undefined) return refusal;
    session.resize({ cols, rows });
    return {
      content: textBlocks(`The terminal of session ${id} has ${cols} columns and ${rows} rows now.`),
      structuredContent: { sessionId: id, cols, rows },
    };
  },
});
