import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { SessionFailure, SessionRequest } from '../../session/sessionRequest';
import { MAX_RUNNING_SESSIONS } from '../../session/sessionManager';
import { DEFAULT_TERMINAL_SIZE } from '../../session/terminal/terminalSize';
import { describeDefaultFolder, describeDefaultShell, describeEnvironments, isChoice } from '../environments';
import { EXEC_YIELD_MS } from '../limits';
import {
  columnsParameter,
  maxOutputTokensParameter,
  rowsParameter,
  systemText,
  waitForParameter,
  yieldTimeParameter,
} from '../parameters';
import { patternWatch } from '../patternWatching';
import { sessionReply, sessionReplySchema } from '../sessionReply';
import { createTool, type ToolContext } from '../tool';
import { errorResult } from '../toolResult';
import { limitYield, waitForSession } from '../waiting';

/** An `=` would end the name early; the system takes the rest for the value. */
const variableName = z.string().regex(/^[^=\0]+$/, 'the name of a variable must not be empty nor contain "=" or NUL.');

const inputOf = (context: ToolContext) =>
  z.strictObject({
    cmd: systemText.describe(
      'The command line, given to the shell as one argument: several lines, quotes and here-documents work as in a script.',
    ),
    yield_time_ms: yieldTimeParameter(
      context.maxYieldMs,
      'How long to wait for the end before replying, in milliseconds.',
    ).default(EXEC_YIELD_MS),
    max_output_tokens: maxOutputTokensParameter,
    shell: systemText
      .optional()
      .describe(`The shell that runs cmd: a path or a name on the PATH. Default: ${describeDefaultShell(context)}.`),
    login: z
      .boolean()
      .default(true)
      .describe(
        "Whether the shell reads the user's login profile first (bash -lc). Files for interactive shells, such as ~/.bashrc, are read only if the profile does so, or by bash -ic '…' in cmd.",
      ),
    workdir: systemText
      .optional()
      .describe(
        `The working directory. Relative paths start from ${describeDefaultFolder(context)}, which is also the default.`,
      ),
    env: z.record(variableName, systemText).optional().describe('Environment variables to add or replace.'),
    tty: z.boolean().default(true).describe('true: on a terminal, which takes input. false: on pipes, with an empty stdin.'),
    cols: columnsParameter.default(DEFAULT_TERMINAL_SIZE.cols).describe('Columns of the terminal.'),
    rows: rowsParameter.default(DEFAULT_TERMINAL_SIZE.rows).describe('Rows of the terminal.'),
    stdin: z
      .string()
      .optional()
      .describe(
        'What the standard input of the command holds, followed by its end: a script for `python3 -` or `bash -s`, without any quoting. The program cannot be typed to then.',
      ),
    wait_for: waitForParameter,
    environment_id: z.string().optional().describe(describeEnvironments(context)),
    title: z.string().optional().describe('A short name for lists and tabs. Default: cmd.'),
  });

export const execCommandTool = createTool({
  name: 'exec_command',
  aliases: ['functions_exec_command'],
  title: 'Terminal Command',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  output: sessionReplySchema,
  input: inputOf,
  unlisted: (context) => (isChoice(context) ? [] : ['environment_id']),
  description: ({ manager, defaults, docs }) =>
    `Runs a command with ${manager.environments.defaultEnvironment?.kind === 'local' ? defaults.defaultShell : 'the shell of its environment'} in a new terminal session${manager.isAttended ? ', which the user can watch and type into' : ''}. ` +
    'Replies with the output and the exit code when the command has ended; or, as soon as it waits for input, has printed wait_for, or still runs after yield_time_ms, with what there is so far and a session_id: the command runs on, and write_stdin gives it input or waits for more. ' +
    `Commands may run at the same time, up to ${MAX_RUNNING_SESSIONS}; each has a shell of its own, so cd and variables do not carry over. ` +
    'When that shell ends, background processes that it left on its terminal get a hang-up (SIGHUP): run what is to go on, such as a server, in the foreground of a session of its own.' +
    docs.hint,
  run: async (input, call, { manager, defaults, view, maxYieldMs, redaction, origin }) => {
    const found = manager.environments.find(input.environment_id);
    if (found.kind === 'failed') return notRun(found.failure);
    const { id: environmentId, kind } = found.environment;
    const request: SessionRequest = {
      command: input.cmd,
      environmentId,
      shell: input.shell ?? (kind === 'local' ? defaults.defaultShell : undefined),
      isLogin: input.login,
      cwd: kind === 'local' ? path.resolve(defaults.defaultCwd, input.workdir ?? '') : input.workdir,
      env: input.env,
      terminal: input.tty ? { cols: input.cols, rows: input.rows } : undefined,
      stdin: input.stdin === undefined ? undefined : Buffer.from(input.stdin),
      title: input.title,
      ...origin(),
    };
    const start = await manager.start(request);
    if (start.kind === 'failed') return notRun(start.failure);
    const { session } = start;
    const { yieldMs, cutYieldMs } = limitYield(input.yield_time_ms, maxYieldMs);
    const pattern = patternWatch(input.wait_for, session.transcript, { from: 0 });
    const waited = await waitForSession(session, { yieldMs, call, redaction, pattern });
    const news = await view.takeNews(session, input.max_output_tokens);
    const slowLoginMs = manager.takeSlowLoginMs(session);
    manager.noteFirstReply(session);
    const unreadStartUp = manager.findUnreadStartUp(session);
    const hasPattern = pattern !== undefined;
    return sessionReply({ session, news, cutYieldMs, waited, slowLoginMs, unreadStartUp, hasPattern });
  },
});

function notRun({ kind, message }: SessionFailure): CallToolResult {
  return errorResult(kind, `The command was not run. ${message}`);
}
