/** A program on pipes: for output that must not be treated as a terminal's. Its stdin holds what was given at the start. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { Event } from '../base/emitter';
import type {
  ExecProcess,
  ExitStatus,
  InputDemand,
  ProcessEvent,
  ProcessSpec,
  StartResult,
  TerminateResult,
  WriteResult,
} from './execProcess';
import { ProcessEvents } from './processEvents';
import { trySignal } from './processMembers';
import { terminateMembers } from './terminateMembers';

/**
 * Rounds of the event loop without output after which the pipes are known to be empty: the first may be the one in which the
 * exit was seen, after the pipes' turn; the second has asked every pipe.
 */
const EMPTY_ROUNDS = 2;

export class PipeProcess implements ExecProcess {
  readonly pid: number;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events = new ProcessEvents();
  private chunkCount = 0;
  private openStreams = 2;

  static start(spec: ProcessSpec): Promise<StartResult> {
    const [program, ...args] = spec.argv;
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A session of its own, so that the whole of it can be ended; on Windows it would open a console window.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // A program need not read all of its input, and then closes it in the writer's face (EPIPE): no fault of anybody.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(spec.stdin);
    return new Promise((resolve) => {
      if (child.pid !== undefined) {
        resolve({ kind: 'started', process: new PipeProcess(child, child.pid) });
      }
      child.on('error', (error) => {
        const message = `${JSON.stringify(program)} could not be started: ${error.message}.`;
        resolve({ kind: 'failed', failure: { kind: 'spawnFailed', message } });
      });
    });
  }

  private constructor(
    private readonly child: ChildProcess,
    pid: number,
  ) {
    this.pid = pid;
    this.onEvent = this.events.event;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        this.chunkCount++;
        this.events.output(name, chunk);
      });
      child[name]?.on('end', () => {
        this.openStreams--;
      });
    }
    child.on('exit', (code, signal) => {
      this.reportExitOnceEmpty(code === null ? { kind: 'signal', signal: String(signal) } : { kind: 'code', code });
    });
    child.on('close', () => {
      this.events.closed();
    });
  }

  write(): Promise<WriteResult> {
    return Promise.resolve({ kind: 'refused', reason: this.events.isExited ? 'ended' : 'noInput' });
  }

  inputDemand(): InputDemand {
    // Nobody can type into it.
    return { kind: 'none' };
  }

  resize(): void {
    // A pipe has no size.
  }

  signal(name: NodeJS.Signals): void {
    if (this.events.isExited) return;
    if (process.platform === 'win32') this.child.kill(name);
    else trySignal(-this.pid, name);
  }

  async terminate(): Promise<TerminateResult> {
    // Nobody holds the pipes any more, so nobody is left.
    if (this.events.isClosed) return 'ended';
    if (process.platform === 'win32') return killTree(this.pid);
    return terminateMembers(this.pid, () => this.events.isExited);
  }

  dispose(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.events.dispose();
  }

  /** Waiting for the end of the pipes would wait for every background child that holds them. */
  private reportExitOnceEmpty(status: ExitStatus): void {
    let emptyRounds = 0;
    let seenChunks = this.chunkCount;
    const look = (): void => {
      emptyRounds = this.chunkCount === seenChunks ? emptyRounds + 1 : 0;
      seenChunks = this.chunkCount;
      if (emptyRounds >= EMPTY_ROUNDS) this.events.exited(status, this.openStreams > 0);
      else setImmediate(look);
    };
    setImmediate(look);
  }
}

/** Windows has no signals: taskkill ends a process with all its descendants. From its documentation, not tried. */
function killTree(pid: number): Promise<TerminateResult> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {
      resolve('killed');
    });
  });
}
