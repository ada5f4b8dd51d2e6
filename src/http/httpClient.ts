/** The port between who needs something over HTTP and the machine that fetches it: this one, or another one over a wire. */
import type { Readable } from 'node:stream';

export interface HttpHeader {
  /** In lower case in responses. */
  readonly name: string;
  readonly value: string;
}

export interface HttpRequestHeader extends HttpHeader {
  /** A variable of the machine that sends the request; what it holds goes after `value`, and is known to nobody else. */
  readonly valueEnvVar?: string | undefined;
}

export interface HttpRequest {
  /** Sent as given: methods of HTTP are in upper case. */
  readonly method: string;
  /** `http:` or `https:`, without a user or password in it. */
  readonly url: string;
  /** In this order; a name may come again. */
  readonly headers: readonly HttpRequestHeader[];
  readonly body?: Buffer | undefined;
  /** `stop`: a redirection is an answer like any other. */
  readonly redirects: 'follow' | 'stop';
  /** Until the whole body has come. `undefined`: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Drops the request, or what is still to come of its body. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** As they came, but for a compression that has been undone. */
  readonly headers: readonly HttpHeader[];
  /**
   * Uncompressed. Nothing more is fetched while nobody reads. Belongs to the caller, who reads it to its end or destroys it. Fails
   * with an `Error` whose message is a part of a sentence.
   */
  readonly body: Readable;
}

/** Why there is no answer. */
export interface HttpFailure {
  /**
   * - `badRequest`: nothing was sent, since the request is none
   * - `unsupported`: the machine sends no requests
   * - `failed`: no connection, no answer in time, or too many redirections
   */
  readonly kind: 'badRequest' | 'unsupported' | 'failed';
  /** For people and models: what was wrong. */
  readonly message: string;
}

/** Every status is a response. */
export type HttpResult =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'failed'; readonly failure: HttpFailure };

export interface HttpClient {
  /** Resolves with the head of the response. Rejects with the reason of `signal` only. */
  request(request: HttpRequest): Promise<HttpResult>;
}

export function httpFailure(kind: HttpFailure['kind'], message: string): HttpResult & { readonly kind: 'failed' } {
  return { kind: 'failed', failure: { kind, message } };
}
