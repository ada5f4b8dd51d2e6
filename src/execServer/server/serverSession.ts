import { randomUUID } from 'node:crypto';
import type { ExecBackend } from '../../process/execProcess';
import type { WatchableFileSystem } from '../../files/executorFileSystem';
import type { HttpClient } from '../../http/httpClient';
import type { Log } from '../../base/log';
import type { RpcConnection } from '../wire/rpcConnection';
import { RpcError } from '../wire/rpcError';
import { HTTP_REQUEST } from '../wire/httpMethods';
import type { StartParams, WriteStatus } from '../wire/processMethods';
import type { EnvironmentInfo } from '../wire/sessionMethods';
import { describeEnvironment } from './environmentInfo';
import { HostedProcess } from './hostedProcess';
import { HttpExchanges } from './httpExchanges';
import { FULL_BACKLOG_BYTES, type SessionLimits } from './limits';
import { MissingWatches } from './missingWatches';
import { OpenFiles } from './openFiles';
import { startErrorOf, toProcessSpec } from './startRequest';

export interface ServerSessionOptions {
  readonly backend: ExecBackend;
  /** `undefined`: this server has no files for its clients. */
  readonly files: WatchableFileSystem | undefined;
  /** `undefined`: this server fetches nothing for its clients. */
  readonly http: HttpClient | undefined;
  readonly log: Log;
  readonly limits: SessionLimits;
  /** The session was without a connection for too long, and its processes are ended. */
  readonly onExpired: (session: ServerSession) => void;
}

/** The processes and open files of one client, which outlive its connections for a while. */
export class ServerSession {
  readonly id = randomUUID();
  readonly openFiles = new OpenFiles();
  readonly missingWatches = new MissingWatches((watchId) => {
    this.notify(JSON.stringify({ method: 'fs/missingChanged', params: { watchId } }));
  });

  private readonly processes = new Map<string, HostedProcess | 'starting'>();
  private readonly retentions = new Set<NodeJS.Timeout>();
  private connection: RpcConnection | undefined;
  private exchanges: HttpExchanges | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private isCongested = false;
  private isShutDown = false;

  constructor(private readonly options: ServerSessionOptions) {}

  get isAttached(): boolean {
    return this.connection !== undefined;
  }

  /** The requests of the connection. Throws an `RpcError` where there are none to be made. */
  get http(): HttpExchanges {
    if (this.exchanges === undefined) throw RpcError.methodNotFound(HTTP_REQUEST);
    return this.exchanges;
  }

  describeEnvironment(): EnvironmentInfo {
    const { files, http } = this.options;
    return describeEnvironment({ hasFiles: files !== undefined, hasHttp: http !== undefined });
  }

  /** Throws an `RpcError` where the method has no files to work on. */
  requireFiles(method: string): WatchableFileSystem {
    if (this.options.files === undefined) throw RpcError.methodNotFound(method);
    return this.options.files;
  }

  /** Whoever wants the session while it has a connection may know better than we whether that still works. */
  probe(): void {
    this.connection?.transport.probe();
  }

  /** From now on notifications go out on this connection, until that closes. */
  attach(connection: RpcConnection): void {
    clearTimeout(this.expiry);
    this.connection = connection;
    const { http } = this.options;
    const exchanges = http === undefined ? undefined : new HttpExchanges(http, connection);
    this.exchanges = exchanges;
    const draining = connection.transport.onDidDrain(() => {
      this.setCongested(false);
    });
    connection.onDidClose(() => {
      draining.dispose();
      exchanges?.dispose();
      this.detach();
    });
  }

  /** Resolves with the process once it runs. Throws an `RpcError` if it does not. */
  async start(params: StartParams): Promise<HostedProcess> {
    const { processId } = params;
    if (this.processes.has(processId)) throw RpcError.invalidRequest(`process ${processId} already exists`);
    const spec = toProcessSpec(params);
    this.processes.set(processId, 'starting');
    try {
      const started = await this.options.backend.start(spec);
      if (started.kind === 'failed') throw startErrorOf(started.failure, spec);
      const hosted = new HostedProcess({
        processId,
        process: started.process,
        note: params.note,
        isTerminal: params.tty,
        takesInput: (params.tty && spec.stdin === undefined) || spec.stdin === 'open',
        retainedBytes: this.options.limits.retainedBytes,
        notify: (message, release) => {
          this.notify(message, release);
        },
        onClosed: () => {
          this.forgetLater(processId);
        },
      });
      if (this.isShutDown) {
        await hosted.shutDown();
        throw RpcError.invalidRequest(`the session of process ${processId} has ended`);
      }
      this.processes.set(processId, hosted);
      if (this.isCongested) hosted.setPausedByBacklog(true);
      return hosted;
    } catch (error) {
      this.processes.delete(processId);
      throw error;
    }
  }

  /** Throws an `RpcError` for an id that is not known (any more). */
  require(processId: string): HostedProcess {
    const found = this.processes.get(processId);
    if (found === undefined) throw RpcError.invalidRequest(`unknown process id ${processId}`);
    if (found === 'starting') throw RpcError.invalidRequest(`process id ${processId} is starting`);
    return found;
  }

  /** What runs, and what can still be read after its end. */
  list(): { readonly processId: string; readonly pid: number; readonly note: string | undefined }[] {
    return [...this.processes].flatMap(([processId, process]) =>
      process === 'starting' ? [] : [{ processId, pid: process.pid, note: process.note }],
    );
  }

  find(processId: string): HostedProcess | Extract<WriteStatus, 'unknownProcess' | 'starting'> {
    return this.processes.get(processId) ?? 'unknownProcess';
  }

  /** Ends all processes at once, and closes all files. */
  async shutDown(): Promise<void> {
    this.isShutDown = true;
    this.missingWatches.dispose();
    clearTimeout(this.expiry);
    for (const retention of this.retentions) clearTimeout(retention);
    const hosted = [...this.processes.values()].filter((process) => process !== 'starting');
    this.processes.clear();
    await Promise.all([this.openFiles.closeAll(), ...hosted.map((process) => process.shutDown())]);
  }

  private detach(): void {
    this.connection = undefined;
    this.openFiles.orphanAll();
    this.missingWatches.dispose();
    this.setCongested(false);
    if (this.isShutDown) return;
    this.expiry = setTimeout(() => {
      this.options.onExpired(this);
      this.shutDown().catch((error: unknown) => {
        this.options.log.error('a session could not be ended', error);
      });
    }, this.options.limits.detachedLifetimeMs);
  }

  private notify(message: string | Buffer, release?: () => void): void {
    if (this.connection === undefined) {
      release?.();
      return;
    }
    const { transport } = this.connection;
    transport.send(message, release);
    if (transport.backlogBytes > FULL_BACKLOG_BYTES) this.setCongested(true);
  }

  private setCongested(isCongested: boolean): void {
    if (this.isCongested === isCongested) return;
    this.isCongested = isCongested;
    for (const process of this.processes.values()) if (process !== 'starting') process.setPausedByBacklog(isCongested);
  }

  private forgetLater(processId: string): void {
    const retention = setTimeout(() => {
      this.retentions.delete(retention);
      this.processes.delete(processId);
    }, this.options.limits.closedRetentionMs);
    this.retentions.add(retention);
  }
}
