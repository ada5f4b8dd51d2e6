/** The MCP servers that are configured, and their connections. Each client of a server has a connection to it of its own. */
import { createHash } from 'node:crypto';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { Log } from '../base/log';
import type { Machine } from '../environment/environmentManager';
import { McpBridge } from './mcpBridge';
import { openServer, type ServerPlaces } from './openServer';
import type { ReadServers, ServerConfiguration } from './serverConfiguration';
import { ServerLog } from './serverLog';

export interface McpServersOptions extends ServerPlaces {
  readonly log: Log;
  /** Where one server is told of; called once for each name. */
  readonly createLog: (name: string) => Log & Disposable;
}

export type ServerState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connected'; readonly clients: number }
  /** The last attempt to reach it, or its last connection, ended with a problem. */
  | { readonly kind: 'failed'; readonly problem: string };

export class McpServers implements Disposable {
  private readonly servers = new Map<string, ReachableServer>();
  private readonly changed = new Emitter<void>();
  private readonly configured = new Emitter<void>();

  /** There are other servers than before, or one of them has another state. */
  readonly onDidChange = this.changed.event;
  /** There are other servers than before. */
  readonly onDidConfigure = this.configured.event;

  private readonly following: Disposable;
  private toldLabels = '';

  constructor(private readonly options: McpServersOptions) {
    this.following = options.environments.onDidChange(() => {
      this.followEnvironments();
    });
  }

  list(): readonly ReachableServer[] {
    return [...this.servers.values()];
  }

  find(name: string): ReachableServer | undefined {
    return this.servers.get(name);
  }

  /** From now on these are the servers; one that stays as it was keeps its connections. */
  configure({ servers, problems }: ReadServers): void {
    for (const problem of problems) this.options.log.error(problem);
    const before = new Map(this.servers);
    this.servers.clear();
    for (const configuration of servers) {
      const kept = before.get(configuration.name);
      const isSame = kept !== undefined && JSON.stringify(kept.configuration) === JSON.stringify(configuration);
      if (!isSame) kept?.dispose();
      before.delete(configuration.name);
      this.servers.set(configuration.name, isSame ? kept : this.create(configuration));
    }
    for (const gone of before.values()) gone.dispose();
    this.tellConfigured();
  }

  /** Ends all connections, and the servers that run for them. Resolves when they are gone. */
  async close(): Promise<void> {
    this.following.dispose();
    const servers = this.list();
    this.servers.clear();
    await Promise.all(servers.map((server) => server.close()));
  }

  dispose(): void {
    void this.close();
  }

  private followEnvironments(): void {
    for (const server of this.servers.values()) server.followEnvironment();
    if (this.labels !== this.toldLabels) this.tellConfigured();
  }

  private tellConfigured(): void {
    this.toldLabels = this.labels;
    this.configured.fire();
    this.changed.fire();
  }

  /** They change with the default environment. */
  private get labels(): string {
    return JSON.stringify(this.list().map(({ label }) => label));
  }

  private create(configuration: ServerConfiguration): ReachableServer {
    const log = this.options.createLog(configuration.name);
    return new ReachableServer(configuration, { places: this.options, log, onDidChange: () => this.changed.fire() });
  }
}

interface ReachableServerOptions {
  readonly places: ServerPlaces;
  /** Owned by the server. */
  readonly log: Log & Disposable;
  readonly onDidChange: () => void;
}

export class ReachableServer implements Disposable {
  private readonly bridges = new Set<McpBridge>();
  private readonly serverLog: ServerLog;
  private problem: string | undefined;
  /** Where the connections lead. */
  private machine: Machine | undefined;

  constructor(
    readonly configuration: ServerConfiguration,
    private readonly options: ReachableServerOptions,
  ) {
    this.serverLog = new ServerLog(options.log);
    this.followEnvironment();
  }

  get name(): string {
    return this.configuration.name;
  }

  /** Where it is reached. */
  get environmentId(): string {
    const { environments } = this.options.places;
    return this.configuration.environmentId ?? environments.defaultEnvironment?.id ?? 'no environment';
  }

  /** For people: its name and where it is. */
  get label(): string {
    return `${this.name} ${this.place}`;
  }

  private get place(): string {
    return `(on ${this.environmentId})`;
  }

  /** Another one for another configuration, which it does not give away. */
  get version(): string {
    return createHash('sha256')
      .update(JSON.stringify([this.configuration, this.environmentId]))
      .digest('hex')
      .slice(0, 16);
  }

  get state(): ServerState {
    if (this.bridges.size > 0) return { kind: 'connected', clients: this.bridges.size };
    return this.problem === undefined ? { kind: 'idle' } : { kind: 'failed', problem: this.problem };
  }

  /** Ends the connections that lead to what is another environment now: the clients begin anew, and get to that. */
  followEnvironment(): void {
    const { environments } = this.options.places;
    const found = environments.find(this.configuration.environmentId);
    const machine = found.kind === 'found' ? found.environment : undefined;
    if (machine === this.machine) return;
    this.machine = machine;
    void this.closeBridges();
  }

  /** For one client. */
  createBridge(): McpBridge {
    const bridge = new McpBridge({
      open: async () => openServer(this.configuration, this.serverLog, this.options.places),
      log: this.serverLog,
      name: `${this.name}-on-${this.environmentId}`,
      place: this.place,
      onOpened: (problem) => {
        this.setProblem(problem);
      },
      onClosed: (problem) => {
        this.bridges.delete(bridge);
        this.setProblem(problem);
      },
    });
    this.bridges.add(bridge);
    return bridge;
  }

  async close(): Promise<void> {
    await this.closeBridges();
    this.options.log.dispose();
  }

  dispose(): void {
    void this.close();
  }

  private async closeBridges(): Promise<void> {
    await Promise.all([...this.bridges].map((bridge) => bridge.close()));
  }

  private setProblem(problem: string | undefined): void {
    this.problem = problem;
    this.options.onDidChange();
  }
}
