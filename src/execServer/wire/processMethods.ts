/**
 * The process methods of the exec-server protocol, as Codex speaks it. Everything marked "ours" is an extension that a server
 * announces by `capabilities.execSessions`; others neither send nor need it.
 */
import { z } from 'zod';
import { START_FAILURES } from '../../process/execProcess';
import { base64, count, optional } from './values';

export const STREAMS = ['stdout', 'stderr', 'pty'] as const;
export type WireStream = (typeof STREAMS)[number];

const processId = z.string();
const terminalSize = z.object({ cols: z.int().min(1).max(65_535), rows: z.int().min(1).max(65_535) });
const environment = z.record(z.string(), z.string());

export const envPolicy = z.object({
  inherit: z.enum(['all', 'core', 'none']),
  ignoreDefaultExcludes: z.boolean(),
  exclude: z.array(z.string()),
  set: environment,
  includeOnly: z.array(z.string()),
});

export const startParams = z.object({
  processId,
  argv: z.array(z.string()),
  cwd: z.string(),
  env: environment,
  tty: z.boolean(),
  pipeStdin: optional(z.boolean()),
  arg0: optional(z.string()),
  envPolicy: optional(envPolicy),
  sandbox: optional(z.object({ permissions: z.object({ type: z.string() }) })),
  networkProxy: optional(z.object({})),
  /** Ours: of the terminal, instead of 80 by 24. */
  size: optional(terminalSize),
  /** Ours: all that stdin holds, with the end after it. */
  stdin: optional(base64),
  /** Ours: told again by `process/list`. */
  note: optional(z.string()),
});
export type StartParams = z.infer<typeof startParams>;

/** `pid` is ours. */
export const startResult = z.object({ processId, pid: z.int().optional() });

export const readParams = z.object({
  processId,
  afterSeq: optional(count),
  maxBytes: optional(count),
  waitMs: optional(count),
});

/** How a program ended; what is not the exit code is ours. */
const exit = {
  exitCode: z.int().nullable(),
  signal: z.string().optional(),
  isOutputHeld: z.boolean().optional(),
};

export const readResult = z.object({
  chunks: z.array(z.object({ seq: z.int(), stream: z.enum(STREAMS), chunk: z.string() })),
  nextSeq: z.int(),
  exited: z.boolean(),
  closed: z.boolean(),
  ...exit,
  /** Ours: bytes of output before the first of the chunks, or before the next if there is none. */
  startOffset: z.int().optional(),
});
export type ReadResult = z.infer<typeof readResult>;

export const writeParams = z.object({
  processId,
  chunk: base64,
  writeId: z.string().min(1, 'writeId must not be empty'),
  /** Ours: answer when the program's terminal or pipe has it, and say `ended` if it never will. */
  untilTaken: optional(z.boolean()),
});

export const WRITE_STATUSES = ['accepted', 'unknownProcess', 'stdinClosed', 'starting', 'ended'] as const;
export type WriteStatus = (typeof WRITE_STATUSES)[number];
export const writeResult = z.object({ status: z.enum(WRITE_STATUSES) });

/** Signals by their names (`SIGTERM`) are ours. */
export const signalParams = z.object({
  processId,
  signal: z.union([z.literal('interrupt'), z.string().regex(/^SIG[A-Z0-9]+$/)]),
});
export const processParams = z.object({ processId });
export const terminateResult = z.object({ running: z.boolean() });

export const exitedParams = z.object({ processId, seq: z.int(), ...exit });
export const closedParams = z.object({ processId, seq: z.int() });
export const outputParams = z.object({ processId, seq: z.int(), stream: z.enum(STREAMS), chunk: z.string() });

/** Ours, all of them. */
export const resizeParams = z.object({ processId, size: terminalSize });
export const endResult = z.object({ how: z.enum(['ended', 'killed']) });
export const inputDemandResult = z.union([
  z.object({ kind: z.enum(['unknown', 'none']) }),
  z.object({
    kind: z.enum(['reading', 'listening']),
    isLineMode: z.boolean(),
    isHidden: z.boolean(),
    stamp: z.string(),
  }),
]);

/** The processes of the session that the server still knows, in the order of their start. */
export const listResult = z.object({
  processes: z.array(z.object({ processId, pid: z.int(), note: optional(z.string()) })),
});

/** `data` of the error with which a start fails: `kind` as others know it, `failure` (ours) as the port names it. */
export const startErrorData = z.object({
  kind: z.string(),
  failure: z.enum(START_FAILURES).optional(),
});
