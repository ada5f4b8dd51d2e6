/** A program on pipes: for output that must not be treated as a terminal's. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
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
import { SESSION_MARK } from './sessionMark';
import { terminateMembers } from './terminateMembers';

/**
 * Rounds of the event loop without output after which the pipes are known to be empty: the first may be the one in which the
 * exit was seen, after the pipes' turn; the second has asked every pipe.
 */
const EMPTY_ROUNDS = 2;

export class PipeProcess implements ExecProcess {
  readonly pid: number;
  readonly outlivesUs = false;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events = new ProcessEvents();
  private readonly mark: string | undefined;
  /** Open for writes. */
  private readonly input: Writable | undefined;
  private chunkCount = 0;
  private openStreams = 2;
  private isPaused = false;
  /** Set while an exit waits for the output before it to be read. */
  private lookAgain: (() => void) | undefined;

  static start(spec: ProcessSpec): Promise<StartResult> {
    const [program, ...args] = spec.argv;
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A session of its own, so that the whole of it can be ended; on Windows it would open a console window.
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(spec.arg0 !== undefined && { argv0: spec.arg0 }),
    });
    // A program need not read all of its input, and then closes it in the writer's face (EPIPE): no fault of anybody.
    child.stdin?.on('error', () => undefined);
    if (spec.stdin !== 'open') child.stdin?.end(spec.stdin);
    return new Promise((resolve) => {
      if (child.pid !== undefined) {
        resolve({ kind: 'started', process: new PipeProcess(child, child.pid, spec) });
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
    spec: ProcessSpec,
  ) {
    this.pid = pid;
    this.mark = spec.env[SESSION_MARK];
    if (spec.stdin === 'open') this.input = child.stdin ?? undefined;
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

  write(bytes: Buffer): Promise<WriteResult> {
    const { input } = this;
    if (this.events.isExited) return Promise.resolve({ kind: 'refused', reason: 'ended' });
    if (input === undefined || input.writableEnded) return Promise.resolve({ kind: 'refused', reason: 'noInput' });
    return new Promise((resolve) => {
      // An error here: the program has closed its input, and never reads it.
      input.write(bytes, (error) => resolve(error ? { kind: 'refused', reason: 'ended' } : { kind: 'written' }));
    });
  }

  endInput(): void {
    this.input?.end();
  }

  pauseOutput(): void {
    this.isPaused = true;
    this.child.stdout?.pause();
    this.child.stderr?.pause();
  }

  resumeOutput(): void {
    this.isPaused = false;
    this.child.stdout?.resume();
    this.child.stderr?.resume();
    this.lookAgain?.();
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
    // Nobody holds the pipes any more: who has no mark cannot be found again.
    if (this.events.isClosed && this.mark === undefined) return 'ended';
    if (process.platform === 'win32') return this.events.isClosed ? 'ended' : killTree(this.pid);
    return terminateMembers({ leaderPid: this.pid, isLeaderGone: () => this.events.isExited, mark: this.mark });
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
      this.lookAgain = this.isPaused ? look : undefined;
      if (this.isPaused) {
        // What was not asked for says nothing.
        emptyRounds = 0;
        return;
      }
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
