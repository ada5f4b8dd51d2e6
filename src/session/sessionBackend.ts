/** A backend for clients that know programs only: each program that is started here is a session, with a person beside it. */
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import {
  type ExecBackend,
  type ProcessSpec,
  START_FAILURES,
  type StartFailure,
  type StartResult,
} from '../process/execProcess';
import type { Session } from './session';
import type { SessionManager } from './sessionManager';
import type { Program, SessionFailure, SessionRequest } from './sessionRequest';
import { SharedProcess } from './sharedProcess';
import { commandLineOf } from './shellCommand';

/** The variable by which Codex tells a program whose it is. */
const THREAD_VARIABLE = 'CODEX_THREAD_ID';
/** Codex waits at least this long for a command before its model hears of it; commands that it starts together come sooner. */
const SHORTEST_REPLY_MS = 250;

interface StartedProgram {
  readonly session: Session;
  /** Of the conversation that started it. */
  readonly thread: string | undefined;
}

/** Runs on this machine what Codex starts over its own protocol. */
export class SessionBackend implements ExecBackend {
  private running: readonly StartedProgram[] = [];

  constructor(private readonly manager: SessionManager) {}

  async start(spec: ProcessSpec): Promise<StartResult> {
    const thread = spec.env[THREAD_VARIABLE];
    this.noteNextStart(thread);
    const start = await this.manager.startProgram(requestOf(spec), spec.stdin);
    if (start.kind === 'failed') return { kind: 'failed', failure: failureOf(start.failure) };
    const { session, process } = start;
    this.running = [...this.running, { session, thread }];
    const onWrite = (): void => this.manager.noteFirstReply(session);
    return { kind: 'started', process: new SharedProcess({ session, process, onWrite }) };
  }

  /**
   * No message says that a model has had its reply to a start. One that starts the next command has, and so has one that types
   * into a program; whoever does neither waits about as long as the window does by itself.
   */
  private noteNextStart(thread: string | undefined): void {
    this.running = this.running.filter(({ session }) => session.state.kind === 'running');
    const lastStartMs = Date.now() - SHORTEST_REPLY_MS;
    for (const { session, thread: other } of this.running) {
      if (other === thread && session.info.startedAt < lastStartMs) this.manager.noteFirstReply(session);
    }
  }
}

function requestOf({
  argv,
  arg0,
  envPolicy,
  cwd,
  env,
  terminal,
  stdin,
}: ProcessSpec): SessionRequest & { program: Program } {
  return {
    ...commandLineOf(argv),
    program: { argv, arg0, envPolicy },
    environmentId: LOCAL_ENVIRONMENT_ID,
    shell: argv[0],
    cwd,
    env,
    terminal,
    // What was written to an open input is not there a second time.
    stdin: stdin === 'open' ? undefined : stdin,
    startedBy: 'codex',
  };
}

/** In the words of the port, which knows no sessions. */
function failureOf({ kind, message }: SessionFailure): StartFailure {
  return { kind: START_FAILURES.find((known) => known === kind) ?? 'hostFailed', message };
}
