/** Serves the programs and files of a machine to clients over connections of any kind. Owns its sessions and all that they run. */
import type { WatchableFileSystem } from '../../files/executorFileSystem';
import type { Log } from '../../base/log';
import type { HttpClient } from '../../http/httpClient';
import type { ExecBackend } from '../../process/execProcess';
import type { MessageTransport } from '../transports/messageTransport';
import { RPC_CODES, RpcError } from '../wire/rpcError';
import { acceptConnection } from './serverConnection';
import { DEFAULT_CONCURRENT_REQUESTS, DEFAULT_LIMITS, type SessionLimits } from './limits';
import { ServerSession } from './serverSession';

export interface ExecServerOptions {
  readonly backend: ExecBackend;
  /** Reads and writes files for clients; without one, they are told that this server does not. */
  readonly files?: WatchableFileSystem;
  /** Fetches for clients; without one, they are told that this server does not. */
  readonly http?: HttpClient;
  readonly log: Log;
  readonly limits?: Partial<SessionLimits>;
  /** Requests of one connection that may be in work at once, from 1. */
  readonly concurrentRequests?: number;
  /** The last session has expired: nothing runs here any more, and nobody is connected. */
  readonly onDidEmpty?: () => void;
}

export class ExecServer {
  private readonly sessions = new Map<string, ServerSession>();

  constructor(private readonly options: ExecServerOptions) {}

  /** Serves one client. Owns the transport. */
  accept(transport: MessageTransport): void {
    const { log, concurrentRequests = DEFAULT_CONCURRENT_REQUESTS } = this.options;
    acceptConnection({ transport, log, concurrentRequests, openSession: (id) => this.openSession(id) });
  }

  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Ends all that was started here. Resolves when it is gone. */
  async shutDown(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map((session) => session.shutDown()));
  }

  /** A new session, or the one with that id. Throws an `RpcError` for one that is gone or in use. */
  private openSession(resumedId: string | undefined): ServerSession {
    if (resumedId === undefined) return this.createSession();
    const session = this.sessions.get(resumedId);
    if (session === undefined) throw RpcError.invalidRequest(`unknown session id ${resumedId}`);
    if (session.isAttached) {
      session.probe();
      throw new RpcError(RPC_CODES.sessionAttached, `session ${resumedId} is already attached to another connection`);
    }
    return session;
  }

  private createSession(): ServerSession {
    const { backend, files, http, log, limits } = this.options;
    const session = new ServerSession({
      backend,
      files,
      http,
      log,
      limits: { ...DEFAULT_LIMITS, ...limits },
      onExpired: ({ id }) => {
        this.sessions.delete(id);
        if (this.sessions.size === 0) this.options.onDidEmpty?.();
      },
    });
    this.sessions.set(session.id, session);
    return session;
  }
}
