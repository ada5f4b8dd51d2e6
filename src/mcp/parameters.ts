/** Parameters that several tools share. What is written here is what the model reads. */
import * as z from 'zod';
import { LinePattern } from '../session/text/linePattern';
import { DEFAULT_MAX_OUTPUT_TOKENS } from './limits';

export const sessionIdParameter = z.int().min(0).describe('The session_id that exec_command or list_sessions gave.');

export const maxOutputTokensParameter = z
  .int()
  .min(1)
  .default(DEFAULT_MAX_OUTPUT_TOKENS)
  .describe(
    'The most output in the reply, in tokens. Of a longer output the beginning and the end are kept, and what is left out between them is counted.',
  );

/** A time to wait for a program, in milliseconds; beyond `maxYieldMs` it is cut, not refused. */
export function yieldTimeParameter(maxYieldMs: number, what: string): z.ZodInt {
  return z.int().min(0).describe(`${what} At most ${maxYieldMs}. Never ends the program.`);
}

/** Text that reaches the operating system, where a NUL character would cut it. */
export const systemText = z.string().refine((text) => !text.includes('\0'), {
  error: ({ input }) =>
    `a NUL character is not allowed (at offset ${String(input).indexOf('\0')}): the system would cut the text there. Write it as an escape such as \\0 in printf.`,
});

/** A pattern of lines; one that is no regular expression is a bad argument. */
export const patternParameter = z.string().transform((source, context) => {
  const parsed = LinePattern.parse(source);
  if (parsed.kind === 'pattern') return parsed.pattern;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

export const waitForParameter = patternParameter
  .optional()
  .describe(
    'A regular expression (JavaScript) that ends the wait when a line of new output matches it, such as "listening on .*:\\d+". The echo of chars does not count.',
  );

/** The width and height of a terminal are 16-bit numbers; 0 means "unknown" and confuses programs. */
const MAX_TERMINAL_CELLS = 65_535;

export const columnsParameter = z.int().min(1).max(MAX_TERMINAL_CELLS);
export const rowsParameter = z.int().min(1).max(MAX_TERMINAL_CELLS);
