import { randomUUID } from 'node:crypto';
import { messageOf } from '../../base/messageOf';
import { type HttpClient, type HttpFailure, httpFailure, type HttpRequest, type HttpResult } from '../../http/httpClient';
import { decodeResult } from '../wire/decode';
import { HEADER_VARIABLES_CAPABILITY, HTTP_REQUEST, httpRequestResult } from '../wire/httpMethods';
import { RPC_CODES, RpcError } from '../wire/rpcError';
import type { Attachment, ExecServerClient } from './execServerClient';
import { RemoteBody } from './remoteBody';

const FAILURE_OF_CODE: Partial<Record<number, HttpFailure['kind']>> = {
  [RPC_CODES.invalidParams]: 'badRequest',
  [RPC_CODES.methodNotFound]: 'unsupported',
};

/** Sends requests from the machine of an exec-server. A request belongs to its connection, and fails when that drops. */
export class RemoteHttpClient implements HttpClient {
  constructor(private readonly client: ExecServerClient) {}

  async request(request: HttpRequest): Promise<HttpResult> {
    request.signal?.throwIfAborted();
    let attachment: Attachment;
    try {
      attachment = await this.client.attach();
    } catch (error) {
      return httpFailure('failed', `${this.client.label} cannot be reached: ${messageOf(error)}`);
    }
    const needsVariables = request.headers.some(({ valueEnvVar }) => valueEnvVar !== undefined);
    if (needsVariables && attachment.info?.capabilities?.[HEADER_VARIABLES_CAPABILITY] !== true) {
      return httpFailure('unsupported', `the server behind ${this.client.label} fills in no headers from its environment`);
    }
    return this.send(request, attachment);
  }

  private async send(request: HttpRequest, attachment: Attachment): Promise<HttpResult> {
    const requestId = `exec-sessions-${randomUUID()}`;
    const body = new RemoteBody(requestId, { client: this.client, attachment, signal: request.signal });
    try {
      const answer = attachment.connection.request(HTTP_REQUEST, paramsOf(requestId, request));
      const { status, headers } = decodeResult(httpRequestResult, HTTP_REQUEST, await body.unlessItFails(answer));
      return { kind: 'response', response: { status, headers, body } };
    } catch (error) {
      body.abandon(error instanceof RpcError);
      request.signal?.throwIfAborted();
      return httpFailure(kindOf(error), this.describe(error));
    }
  }

  private describe(error: unknown): string {
    if (kindOf(error) === 'unsupported') return `the server behind ${this.client.label} sends no HTTP requests`;
    // The prefix tells those who speak the protocol which method has failed.
    return messageOf(error).replace(/^http\/request (failed: )?/, '');
  }
}

function kindOf(error: unknown): HttpFailure['kind'] {
  return (error instanceof RpcError ? FAILURE_OF_CODE[error.code] : undefined) ?? 'failed';
}

function paramsOf(requestId: string, request: HttpRequest): Record<string, unknown> {
  const { method, url, headers, body, timeoutMs, redirects } = request;
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { bodyBase64: body.toString('base64') }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    redirectPolicy: redirects,
    requestId,
    streamResponse: true,
  };
}
