import { messageOf } from '../base/messageOf';
import { type HttpClient, httpFailure, type HttpRequest, type HttpResult } from './httpClient';
import { checkTarget, resolveHeaders } from './requestChecks';

/** Sends requests from this machine, by the proxies that the environment of this process names; to its loopback by none. */
export class LocalHttpClient implements HttpClient {
  /** `env`: where headers get values from. */
  constructor(private readonly env: NodeJS.ProcessEnv = process.env) {}

  async request(request: HttpRequest): Promise<HttpResult> {
    const target = checkTarget(request);
    if (target.kind === 'bad') return httpFailure('badRequest', target.problem);
    const headers = resolveHeaders(request.headers, this.env);
    if (headers.kind === 'bad') return httpFailure('badRequest', headers.problem);
    // Loaded only now: few who have a client ever send anything.
    const { sendRequest } = await import('./sendRequest');
    try {
      return { kind: 'response', response: await sendRequest(request, { url: target.value, headers: headers.value }) };
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      return httpFailure('failed', messageOf(error));
    }
  }
}
