/** The HTTP methods of the exec-server protocol, as Codex speaks them. */
import { z } from 'zod';
import { base64, count, optional } from './values';

export const HTTP_REQUEST = 'http/request';
export const BODY_DELTA = 'http/request/bodyDelta';
/** Announced by a server that fills in headers from its environment. */
export const HEADER_VARIABLES_CAPABILITY = 'httpHeaderEnvVars';

const requestId = z.string();
const header = z.object({ name: z.string(), value: z.string() });

export const httpRequestParams = z.object({
  method: z.string(),
  url: z.string(),
  headers: optional(z.array(header.extend({ valueEnvVar: optional(z.string()) }))),
  bodyBase64: optional(base64),
  timeoutMs: optional(count),
  redirectPolicy: optional(z.enum(['follow', 'stop'])),
  requestId,
  streamResponse: optional(z.boolean()),
});
export type HttpRequestParams = z.infer<typeof httpRequestParams>;

export const httpRequestResult = z.object({
  status: z.int(),
  headers: z.array(header),
  /** Empty where the body is streamed. */
  bodyBase64: base64,
});
export type HttpRequestResult = z.input<typeof httpRequestResult>;

export const bodyDeltaParams = z.object({
  requestId,
  /** From 1, without a gap. */
  seq: z.int(),
  deltaBase64: base64,
  done: optional(z.boolean()),
  error: optional(z.string()),
});
export type BodyDeltaParams = z.input<typeof bodyDeltaParams>;

/** Ours: of `http/request/pauseBody`, `resumeBody` and `cancel`. */
export const exchangeParams = z.object({ requestId });
