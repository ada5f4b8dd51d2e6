import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import type { Log } from '../base/log';
import type { RemoteEnvironment, RemoteMachine } from '../process/execEnvironment';
import { type Attachment, type ClientState, ExecServerClient } from '../execServer/client/execServerClient';
import { RemoteBackend } from '../execServer/client/remoteBackend';
import { RemoteFileSystem } from '../execServer/client/remoteFileSystem';
import { RemoteHttpClient } from '../execServer/client/remoteHttpClient';
import type { HttpClient } from '../http/httpClient';
import { decodeResult } from '../execServer/wire/decode';
import { fromPathUri } from '../execServer/wire/pathUri';
import { RpcError } from '../execServer/wire/rpcError';
import { type EnvironmentInfo, environmentInfo } from '../execServer/wire/sessionMethods';
import type { ExecutorFileSystem } from '../files/executorFileSystem';
import { dialerOf } from './dialerOf';
import type { RemoteConfiguration } from './environmentConfiguration';

/** Where a server does not tell: what models write is bash, and a folder that there is everywhere. */
const FALLBACK_SHELL = '/bin/bash';
const FALLBACK_CWD = '/';

export type CreateRemote = (configuration: RemoteConfiguration, log: Log) => ServerEnvironment;

export const createServerEnvironment: CreateRemote = (configuration, log) => new ServerEnvironment(configuration, log);

/** An environment behind an exec-server. Connects when the first program is to run there, and again after a loss. */
export class ServerEnvironment implements RemoteEnvironment, Disposable {
  readonly kind = 'remote';
  readonly id: string;
  readonly label: string;
  readonly backend: RemoteBackend;
  /** A server without file methods is found out at the first call, which then fails with `unsupported`. */
  readonly files: ExecutorFileSystem;
  readonly http: HttpClient;
  readonly onDidChangeState: Event<ClientState>;
  /** The last program that ran there for us is gone. */
  readonly onDidBecomeIdle: Event<void>;

  private readonly client: ExecServerClient;

  constructor(
    readonly configuration: RemoteConfiguration,
    log: Log,
  ) {
    const { id, label, address, initializeTimeoutMs } = configuration;
    const dialer = dialerOf(address);
    this.id = id;
    this.label = label ?? dialer.label;
    this.client = new ExecServerClient({ dialer, log, initializeTimeoutMs });
    this.backend = new RemoteBackend(this.client);
    this.files = new RemoteFileSystem(this.client);
    this.http = new RemoteHttpClient(this.client);
    this.onDidChangeState = this.client.onDidChangeState;
    this.onDidBecomeIdle = this.client.onDidBecomeIdle;
  }

  get state(): ClientState {
    return this.client.state;
  }

  /** Programs that run there for us. */
  get programCount(): number {
    return this.client.processCount;
  }

  /** Connects if there is no connection. Rejects with an `Error` that says why there is none. */
  async connect(): Promise<void> {
    await this.client.attach();
  }

  /**
   * Drops the connection, for a `reason` that goes into a sentence: what still runs there is lost, and ended by its server. It is
   * made again by whoever connects or starts a program.
   */
  disconnect(reason: string): void {
    this.client.disconnect(reason);
  }

  async describe(): Promise<RemoteMachine> {
    const attachment = await this.client.attach();
    const info = attachment.info ?? (await askForInfo(attachment));
    return {
      shell: info?.shell.path ?? FALLBACK_SHELL,
      cwd: typeof info?.cwd === 'string' ? fromPathUri(info.cwd, 'cwd') : FALLBACK_CWD,
      platform: info?.platformOs ?? undefined,
    };
  }

  /** The same as to disconnect, for good. */
  dispose(): void {
    this.client.dispose();
  }
}

/** Older servers tell it only when they are asked; some do not know the question. */
async function askForInfo({ connection }: Attachment): Promise<EnvironmentInfo | undefined> {
  try {
    return decodeResult(environmentInfo, 'environment/info', await connection.request('environment/info', null));
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
