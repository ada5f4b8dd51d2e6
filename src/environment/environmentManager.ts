/** The environments of a window or server: this machine, and those that the configuration names. */
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { Log } from '../base/log';
import type { ExecutorFileSystem } from '../files/executorFileSystem';
import { LocalFileSystem } from '../files/localFileSystem';
import type { HttpClient } from '../http/httpClient';
import { LocalHttpClient } from '../http/localHttpClient';
import type { ExecBackend } from '../process/execProcess';
import {
  type EnvironmentFailure,
  type EnvironmentLookup,
  type ExecEnvironments,
  LOCAL_ENVIRONMENT,
  type LocalEnvironment,
} from '../process/execEnvironment';
import type { EnvironmentConfiguration, RemoteConfiguration } from './environmentConfiguration';
import type { CreateRemote, ServerEnvironment } from './serverEnvironment';

/** This machine, as an environment among others. */
export interface LocalMachine extends LocalEnvironment {
  readonly files: ExecutorFileSystem;
  readonly http: HttpClient;
}

export type Machine = LocalMachine | ServerEnvironment;

export type MachineLookup =
  { readonly kind: 'found'; readonly environment: Machine } | Extract<EnvironmentLookup, { readonly kind: 'failed' }>;

export interface EnvironmentManagerOptions {
  /** Runs programs on this machine. */
  readonly local: ExecBackend;
  readonly log: Log;
  readonly configuration: EnvironmentConfiguration;
  /** `undefined` where no configuration will ever name a remote: what leads elsewhere takes time to load. */
  readonly createRemote: CreateRemote | undefined;
}

export class EnvironmentManager implements ExecEnvironments, Disposable {
  private readonly local: LocalMachine;
  private readonly remotes = new Map<string, ServerEnvironment>();
  /** No longer configured: what runs there goes on, and the connection for as long. */
  private readonly retired = new Set<ServerEnvironment>();
  private readonly subscriptions = new Map<ServerEnvironment, Disposable>();
  private readonly changed = new Emitter<void>();
  private current: EnvironmentConfiguration;

  /** There are other environments than before, or one of them has another state. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: EnvironmentManagerOptions) {
    this.local = {
      ...LOCAL_ENVIRONMENT,
      kind: 'local',
      backend: options.local,
      files: new LocalFileSystem(),
      http: new LocalHttpClient(),
    };
    this.current = options.configuration;
    this.configure(options.configuration);
  }

  get configuration(): EnvironmentConfiguration {
    return this.current;
  }

  get defaultEnvironment(): Machine | undefined {
    const { defaultId } = this.current;
    return this.list().find(({ id }) => id === defaultId);
  }

  list(): readonly Machine[] {
    return [...(this.current.includesLocal ? [this.local] : []), ...this.remotes.values()];
  }

  find(id = this.current.defaultId): MachineLookup {
    const environment = this.list().find((other) => other.id === id);
    return environment === undefined
      ? { kind: 'failed', failure: this.describeMissing(id) }
      : { kind: 'found', environment };
  }

  /** From now on these are the environments; one that stays as it was keeps its connection. */
  configure(configuration: EnvironmentConfiguration): void {
    for (const problem of configuration.problems) this.options.log.error(problem);
    this.current = configuration;
    const before = new Map(this.remotes);
    this.remotes.clear();
    for (const remote of configuration.remotes) {
      const kept = before.get(remote.id);
      const isSame = kept !== undefined && isSameConfiguration(kept.configuration, remote);
      this.remotes.set(remote.id, isSame ? kept : this.create(remote));
      if (isSame) before.delete(remote.id);
    }
    for (const gone of before.values()) this.retire(gone);
    this.changed.fire();
  }

  /** Drops all connections: after the sessions have ended. */
  dispose(): void {
    for (const subscription of this.subscriptions.values()) subscription.dispose();
    for (const environment of [...this.remotes.values(), ...this.retired]) environment.dispose();
    this.changed.dispose();
  }

  private create(configuration: RemoteConfiguration): ServerEnvironment {
    const { log, createRemote } = this.options;
    if (createRemote === undefined) throw new Error(`The environment ${configuration.id} was not expected.`);
    const environment = createRemote(configuration, log);
    const { id } = configuration;
    const subscriptions = new DisposableStore();
    subscriptions.add(
      environment.onDidChangeState((state) => {
        const reason = state.kind === 'disconnected' && state.reason !== undefined ? `: ${state.reason}` : '';
        log.info(`environment ${id} (${environment.label}) is ${state.kind}${reason}`);
        this.changed.fire();
      }),
    );
    subscriptions.add(
      environment.onDidBecomeIdle(() => {
        if (this.retired.has(environment)) this.drop(environment);
      }),
    );
    this.subscriptions.set(environment, subscriptions);
    return environment;
  }

  private retire(environment: ServerEnvironment): void {
    if (environment.programCount > 0) this.retired.add(environment);
    else this.drop(environment);
  }

  private drop(environment: ServerEnvironment): void {
    this.retired.delete(environment);
    environment.dispose();
    this.subscriptions.get(environment)?.dispose();
    this.subscriptions.delete(environment);
  }

  private describeMissing(id: string | undefined): EnvironmentFailure {
    const { source, problems } = this.current;
    const known = this.list().map((environment) => environment.id);
    const why = problems.length === 0 ? '' : ` ${problems.join(' ')}`;
    if (known.length === 0) {
      return { kind: 'noEnvironment', message: `There is no environment to run anything in, by ${source}.${why}` };
    }
    const choice = `The environments are ${known.join(', ')} (${source}).${why}`;
    if (id === undefined) return { kind: 'noEnvironment', message: `No environment is the default; name one. ${choice}` };
    return { kind: 'unknownEnvironment', message: `There is no environment ${JSON.stringify(id)}. ${choice}` };
  }
}

function isSameConfiguration(one: RemoteConfiguration, other: RemoteConfiguration): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
