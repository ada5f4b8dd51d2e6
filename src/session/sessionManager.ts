/** Starts sessions, finds them by id, and accounts for them until some time after their end. Knows no client and no tab. */
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { Log } from '../base/log';
import type { ExecEnvironments } from '../process/execEnvironment';
import type { ExecProcess, ProcessSpec } from '../process/execProcess';
import { GoneProcess } from '../process/goneProcess';
import type { ShellEnvironmentPolicy } from '../process/shellEnvironmentPolicy';
import { EndedSessions, type Removal } from './endedSessions';
import { LoginCost } from './loginCost';
import { Session } from './session';
import type { SessionInfo } from './sessionInfo';
import { SessionIds } from './sessionIds';
import { readSessionRecord, type SessionRecord, type StartedRequest, writeSessionRecord } from './sessionRecord';
import type { Program, ProgramStart, SessionFailure, SessionRequest, SessionStart } from './sessionRequest';
import type { SpoolFolder } from './log/spool';
import type { EndedState } from './sessionState';
import { TurnShare } from './turnShare';
import { findUnreadStartUp } from './unreadStartUp';
import { DEFAULT_SHELL } from './shellCommand';
import { type HostDefaults, planLocal, planRemote, type StartPlan } from './startPlan';

/** Running sessions at the most: far beyond any real work, well below what descriptors and memory allow. */
export const MAX_RUNNING_SESSIONS = 256;

/** What shells exit with when there is no program, function or alias of that name (POSIX). */
const COMMAND_NOT_FOUND = 127;

const SHUT_DOWN: SessionFailure = {
  kind: 'shutDown',
  message: 'The window or server that runs sessions is going away. Start the command again in the new one.',
};

/** What is left of a session that ended and is kept no longer. */
export type GoneSession = Removal & { readonly state: EndedState };

export type SessionLookup =
  { readonly kind: 'found'; readonly session: Session } | GoneSession | { readonly kind: 'unknown' };

export interface SessionManagerOptions {
  /** Where sessions run. The caller disposes them, after the sessions. */
  readonly environments: ExecEnvironments;
  readonly log: Log;
  /** Whether a person can type into the terminals of its sessions: then what a program takes without showing it is theirs to type. */
  readonly isAttended: boolean;
  /** Where sessions on this machine start unless they say otherwise; asked anew each time. */
  readonly defaultCwd: () => string;
  /** The same for the environment with that id, elsewhere; `undefined`: where its server was started. Asked anew each time. */
  readonly remoteCwd?: (environmentId: string) => string | undefined;
  /** Their shell unless they say otherwise; `undefined`: {@link DEFAULT_SHELL}. Asked anew each time. */
  readonly defaultShell?: () => string | undefined;
  readonly hostEnv?: NodeJS.ProcessEnv;
  /** What of `hostEnv` sessions get. Asked anew each time; default {@link DEFAULT_SHELL_ENVIRONMENT_POLICY}. */
  readonly environmentPolicy?: () => ShellEnvironmentPolicy;
  /** Whether pagers print instead of waiting for keys in sessions that agents start. Asked anew each time; default true. */
  readonly hasAgentPagers?: () => boolean;
  /** For output that memory has no room for; without it the middle of a long output is dropped. The caller disposes it. */
  readonly spoolFolder?: SpoolFolder;
  /** In milliseconds; default `ENDED_RETENTION_MS`. */
  readonly endedRetentionMs?: number;
  /** What ended sessions may hold in memory together; default `ENDED_MEMORY_BYTES`. */
  readonly endedMemoryBytes?: number;
}

export class SessionManager {
  private readonly sessions = new Map<number, Session>();
  private readonly ids = new SessionIds();
  private readonly subscriptions = new Map<number, Disposable>();
  /** What each session was made from. */
  private readonly requests = new WeakMap<Session, StartedRequest>();
  private readonly loginCost = new LoginCost();
  private readonly ended: EndedSessions;
  /** How those ended that are kept no longer. */
  private readonly gone = new Map<number, GoneSession>();
  private readonly added = new Emitter<Session>();
  private readonly changed = new Emitter<Session>();
  private readonly removed = new Emitter<Session>();
  private readonly leftRunning = new Emitter<Session>();
  private readonly starts = new TurnShare();
  private isShutDown = false;

  readonly onDidAdd = this.added.event;
  /** A session's state, what it waits for, or who holds it is another than before. */
  readonly onDidChange = this.changed.event;
  /** Who started a session goes on without its end. */
  readonly onDidLeaveRunning = this.leftRunning.event;
  /** An ended session is no longer kept. */
  readonly onDidRemove = this.removed.event;

  constructor(private readonly options: SessionManagerOptions) {
    this.ended = new EndedSessions({
      remove: (session, removal) => this.remove(session, removal),
      retentionMs: options.endedRetentionMs,
      memoryBytes: options.endedMemoryBytes,
    });
  }

  get isAttended(): boolean {
    return this.options.isAttended;
  }

  get environments(): ExecEnvironments {
    return this.options.environments;
  }

  get defaultCwd(): string {
    return this.options.defaultCwd();
  }

  /** Where sessions in an environment elsewhere start unless they say otherwise; `undefined`: where its server was started. */
  remoteCwd(environmentId: string): string | undefined {
    return this.options.remoteCwd?.(environmentId);
  }

  get defaultShell(): string {
    return this.options.defaultShell?.() ?? DEFAULT_SHELL;
  }

  start(request: SessionRequest): Promise<SessionStart> {
    return this.starts.run(() => this.startNow(request));
  }

  /** Starts a `program` for somebody who is to have all that it prints as it is. `stdin` may be `'open'` for its writes. */
  startProgram(request: SessionRequest & { readonly program: Program }, stdin: ProcessSpec['stdin']): Promise<ProgramStart> {
    return this.starts.run(() => this.startNow(request, stdin));
  }

  /**
   * Goes on with a session of a manager before this one, whose program ran on: under its id, from the output on that `process`
   * still gives. `note` is what the backend was given with the program. `undefined` where that is none of ours.
   */
  restore(note: string, process: ExecProcess): Session | undefined {
    const record = readSessionRecord(note);
    if (record === undefined) return undefined;
    this.ids.reserve(record.id);
    return this.register(process, record);
  }

  /** Accounts for a session of a manager before this one that went with it. Of its variables nothing is known any more. */
  restoreLost(info: SessionInfo): void {
    this.ids.reserve(info.id);
    const session = this.add(info, new GoneProcess());
    const { size, startedBy } = info;
    const hasAgentPagers = startedBy !== 'user';
    const environmentId = info.environment.id;
    this.requests.set(session, { ...info, environmentId, terminal: size, hasAgentPagers, home: undefined });
    void session.terminate('reload');
    this.added.fire(session);
  }

  /** Starts what the session ran once more, in a session of its own: same command, folder, shell, variables, size and title. */
  restart(session: Session, startedBy: SessionRequest['startedBy']): Promise<SessionStart> {
    const request = this.requests.get(session);
    if (request === undefined) throw new Error(`Session ${session.info.id} is not one of this manager.`);
    return this.start({ ...request, startedBy, client: undefined });
  }

  /** Call when an agent has got its reply to the start of a session. */
  noteFirstReply(session: Session): void {
    if (session.state.kind === 'running') this.leftRunning.fire(session);
  }

  /** What the login profile costs every command of this session's shell, in milliseconds, where that is news worth telling. */
  takeSlowLoginMs({ info }: Session): number | undefined {
    return info.isLogin ? this.loginCost.takeSlowMs(info.shell) : undefined;
  }

  /** The file for interactive shells that would have set up more, where a command was not found by a login shell. */
  findUnreadStartUp(session: Session): string | undefined {
    const { info, state } = session;
    const isNotFound = state.kind === 'ended' && state.status?.kind === 'code' && state.status.code === COMMAND_NOT_FOUND;
    const home = this.requests.get(session)?.home;
    if (!isNotFound || !info.isLogin || home === undefined) return undefined;
    return findUnreadStartUp(info.shell, home);
  }

  /** In the order of their start. */
  list(): readonly Session[] {
    return [...this.sessions.values()];
  }

  find(id: number): SessionLookup {
    const session = this.sessions.get(id);
    if (session !== undefined) return { kind: 'found', session };
    return this.gone.get(id) ?? { kind: 'unknown' };
  }

  /**
   * Ends every session but those that outlive us, and forgets all of them. Resolves when the programs are gone; nothing can be
   * started afterwards.
   */
  async shutDown(): Promise<void> {
    this.isShutDown = true;
    const ending = this.list().filter(({ outlivesUs }) => !outlivesUs);
    await Promise.all(ending.map((session) => session.terminate('shutdown')));
    this.ended.dispose();
    for (const session of this.list()) this.remove(session, { kind: 'expired' });
  }

  private async startNow(request: SessionRequest, stdin: ProcessSpec['stdin'] = request.stdin): Promise<ProgramStart> {
    const refusal = this.findRefusal();
    if (refusal !== undefined) return { kind: 'failed', failure: refusal };
    const found = this.environments.find(request.environmentId);
    if (found.kind === 'failed') return found;
    const { environment } = found;
    let plan: StartPlan;
    if (environment.kind === 'local') {
      plan = planLocal(environment, request, this.hostDefaults());
    } else {
      const planned = await planRemote(environment, request, this.hostDefaults());
      if (planned.kind === 'failed') return planned;
      plan = planned.plan;
    }
    const { spec, request: started } = plan;
    const record: SessionRecord = { id: this.ids.next(), startedAt: Date.now(), request: started };
    // What runs on another machine ends with its connection: nobody could hand the note back.
    const note = environment.kind === 'local' ? (): string => writeSessionRecord(record) : undefined;
    const result = await environment.backend.start({ ...spec, stdin, note });
    if (result.kind === 'failed') return result;
    if (this.isShutDown) {
      await result.process.terminate();
      return { kind: 'failed', failure: SHUT_DOWN };
    }
    return { kind: 'started', session: this.register(result.process, record), process: result.process };
  }

  private hostDefaults(): HostDefaults {
    return {
      cwd: this.defaultCwd,
      remoteCwd: (environmentId) => this.remoteCwd(environmentId),
      shell: this.defaultShell,
      env: this.options.hostEnv ?? process.env,
      policy: this.options.environmentPolicy?.(),
      hasAgentPagers: this.options.hasAgentPagers?.() ?? true,
    };
  }

  private findRefusal(): SessionFailure | undefined {
    if (this.isShutDown) return SHUT_DOWN;
    const running = this.list().filter((session) => session.state.kind === 'running').length;
    if (running < MAX_RUNNING_SESSIONS) return undefined;
    return { kind: 'tooManySessions', message: `${running} sessions are running, which is the maximum. End one first.` };
  }

  private register(process: ExecProcess, { id, startedAt, request }: SessionRecord): Session {
    const { command, environment, shell, isLogin, cwd, omittedVariables, startedBy, client, title } = request;
    const size = request.terminal;
    const info: SessionInfo = {
      id,
      title: title ?? command ?? shell,
      command,
      environment,
      shell,
      isLogin,
      cwd,
      isTerminal: size !== undefined,
      size,
      omittedVariables,
      startedBy,
      client,
      isAttended: this.options.isAttended,
      startedAt,
    };
    const session = this.add(info, process);
    this.requests.set(session, request);
    this.options.log.debug(`session ${id} started, pid ${session.pid}`);
    this.added.fire(session);
    return session;
  }

  private add(info: SessionInfo, process: ExecProcess): Session {
    const { id } = info;
    const session: Session = new Session(
      info,
      process,
      this.options.spoolFolder?.createSpool(() => this.ended.makeDiskRoom(session)),
    );
    this.sessions.set(id, session);
    const subscription = session.onDidChange(() => {
      if (session.state.kind === 'ended' && !this.ended.has(session)) this.keepEnded(session);
      this.changed.fire(session);
    });
    this.subscriptions.set(id, subscription);
    return session;
  }

  private keepEnded(session: Session): void {
    const { info, state } = session;
    if (info.isLogin && state.kind === 'ended' && state.reason === 'exited') {
      this.loginCost.note(info.shell, state.endedAt - info.startedAt);
    }
    this.ended.keep(session);
  }

  private remove(session: Session, removal: Removal): void {
    const { id } = session.info;
    const { state } = session;
    if (state.kind === 'ended') this.gone.set(id, { ...removal, state });
    if (removal.kind === 'evicted') this.options.log.info(`session ${id} is kept no longer: too much ${removal.shortage}`);
    this.subscriptions.get(id)?.dispose();
    this.subscriptions.delete(id);
    if (!this.sessions.delete(id)) return;
    session.dispose();
    this.removed.fire(session);
  }
}
