import type { Log } from '../../base/log';
import type { MessageTransport } from '../transports/messageTransport';
import { decodeParams } from '../wire/decode';
import { RpcConnection } from '../wire/rpcConnection';
import { RpcError } from '../wire/rpcError';
import { initializeParams } from '../wire/sessionMethods';
import { familyOf, METHODS } from './methods';
import type { ServerSession } from './serverSession';

export interface AcceptOptions {
  readonly transport: MessageTransport;
  readonly log: Log;
  readonly concurrentRequests: number;
  /** A new session, or the one with that id. Throws an `RpcError` for one that is gone or in use. */
  readonly openSession: (resumedId: string | undefined) => ServerSession;
}

type Handshake = { readonly step: 'new' } | { readonly step: 'initialized' | 'ready'; readonly session: ServerSession };

/** Leads one client through its handshake, and then to the methods. */
export function acceptConnection({ transport, log, concurrentRequests, openSession }: AcceptOptions): void {
  let handshake: Handshake = { step: 'new' };

  const initialize = (params: unknown): unknown => {
    if (handshake.step !== 'new') throw RpcError.invalidRequest('initialize may only be sent once per connection');
    const { resumeSessionId } = decodeParams(initializeParams, params);
    const session = openSession(resumeSessionId ?? undefined);
    handshake = { step: 'initialized', session };
    session.attach(connection);
    return { sessionId: session.id, environmentInfo: session.describeEnvironment() };
  };

  const connection = new RpcConnection({
    transport,
    log,
    maxConcurrentRequests: concurrentRequests,
    handlers: {
      request: (method, params) => {
        if (method === 'initialize') return initialize(params);
        if (handshake.step !== 'ready') {
          const missing = handshake.step === 'new' ? 'call initialize' : 'send initialized';
          throw RpcError.invalidRequest(`client must ${missing} before using ${familyOf(method)} methods`);
        }
        const found = METHODS.get(method);
        if (found === undefined) throw RpcError.methodNotFound(method);
        return found.run(handshake.session, params);
      },
      notification: (method) => {
        if (method !== 'initialized')
          throw RpcError.invalidRequest(`the notification ${JSON.stringify(method)} is not known`);
        if (handshake.step === 'new') throw RpcError.invalidRequest('initialized came before initialize');
        handshake = { step: 'ready', session: handshake.session };
      },
    },
  });
}
