import * as z from 'zod';
import { findSession } from '../findSession';
import { POLL_YIELD_MS, WRITE_YIELD_MS } from '../limits';
import { maxOutputTokensParameter, sessionIdParameter, waitForParameter, yieldTimeParameter } from '../parameters';
import { patternWatch } from '../patternWatching';
import { sessionReply, sessionReplySchema } from '../sessionReply';
import { createTool, type ToolContext } from '../tool';
import { findRefusal, startTyping } from '../typing';
import { limitYield, waitForSession } from '../waiting';

/** How a model writes the keys that are no characters, as JSON text. */
const KEYS =
  'Enter "\\r" or "\\n", Ctrl-C "\\u0003", Ctrl-D "\\u0004", Ctrl-Z "\\u001a", Esc "\\u001b", Tab "\\t", Backspace "\\u007f", arrows up/down/right/left "\\u001b[A"/"\\u001b[B"/"\\u001b[C"/"\\u001b[D"';

const ATTENDED =
  "Passwords and other input that is not shown are the user's to type: while a program waits for some, or the user has taken the session over, what you send is refused, and empty chars wait until that is over. ";
const UNATTENDED =
  'No person can type here, so what a program does not show, such as a password, is yours to send as well: only if the user gave it to you for this. ';

const inputOf = ({ maxYieldMs }: ToolContext) =>
  z.strictObject({
    session_id: sessionIdParameter,
    chars: z
      .string()
      .describe(
        `Sent exactly as given: end a line with a newline yourself. Keys: ${KEYS}. Empty: only wait for more output.`,
      ),
    yield_time_ms: yieldTimeParameter(
      maxYieldMs,
      `How long to wait before replying, in milliseconds. Default: ${WRITE_YIELD_MS}, or ${POLL_YIELD_MS} when chars is empty.`,
    ).optional(),
    max_output_tokens: maxOutputTokensParameter,
    wait_for: waitForParameter,
  });

export const writeStdinTool = createTool({
  name: 'write_stdin',
  aliases: ['functions_write_stdin'],
  title: 'Terminal Input',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  output: sessionReplySchema,
  input: inputOf,
  description: ({ manager }) =>
    'Sends characters to the program of a running session, as if typed, and replies with its new output. ' +
    'Replies as soon as the program waits for more input, has ended, or has printed wait_for, and at the latest after yield_time_ms. ' +
    'With empty chars it only waits; a wait for input that you know of already does not end it, what the user types into the terminal does. ' +
    (manager.isAttended ? ATTENDED : UNATTENDED) +
    'Each piece of output is given once; none is lost between calls.',
  run: async (input, call, context) => {
    const { manager, view, maxYieldMs, redaction } = context;
    const found = findSession(context, input.session_id);
    if (found.kind === 'missing') return found.result;
    const { session } = found;
    const { chars } = input;
    const { yieldMs, cutYieldMs } = limitYield(
      input.yield_time_ms ?? (chars === '' ? POLL_YIELD_MS : WRITE_YIELD_MS),
      maxYieldMs,
    );
    const refusal = chars === '' ? undefined : findRefusal(session);
    if (refusal !== undefined) return refusal;
    const pattern = patternWatch(input.wait_for, session.transcript, {
      from: chars === '' ? view.position(session) : session.transcript.log.totalBytes,
      typed: chars,
    });
    const knownWait = view.knownWait(session);
    const typing = chars === '' ? undefined : await startTyping(session, chars);
    const earlyRefusal = typing?.refusal();
    if (earlyRefusal !== undefined) {
      view.noteHolder(session);
      return earlyRefusal;
    }
    const wasHeld = chars === '' && view.knowsHeld(session);
    const waited = await waitForSession(session, { yieldMs, call, redaction, knownWait, pattern, wasHeld });
    const lateRefusal = typing?.refusal();
    if (lateRefusal !== undefined) return lateRefusal;
    return sessionReply({
      session,
      news: await view.takeNews(session, input.max_output_tokens),
      cutYieldMs,
      waited,
      unreadStartUp: manager.findUnreadStartUp(session),
      hasPattern: pattern !== undefined,
      isInputPending: typing?.isPending() ?? false,
    });
  },
});
