/** A program on a Windows pseudoconsole, through node-pty's public API. Written from its documentation, not tried. */
import type { IPty } from 'node-pty';
import type { Event } from '../base/emitter';
import type {
  ExecProcess,
  InputDemand,
  ProcessEvent,
  ProcessSpec,
  TerminalSize,
  TerminateResult,
  WriteResult,
} from './execProcess';
import { ProcessEvents } from './processEvents';

export class WindowsPtyProcess implements ExecProcess {
  readonly pid: number;
  readonly outlivesUs = false;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events = new ProcessEvents();
  private readonly pty: IPty;

  /** Throws where the system refuses a pseudoconsole or a process. */
  constructor(spec: ProcessSpec, size: TerminalSize) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const nodePty = require('node-pty') as typeof import('node-pty');
    const [program, ...args] = spec.argv;
    this.onEvent = this.events.event;
    this.pty = nodePty.spawn(program, args, { cwd: spec.cwd, env: { ...spec.env }, encoding: null, ...size });
    this.pid = this.pty.pid;
    this.pty.onData((data: string | Buffer) => {
      this.events.output('terminal', typeof data === 'string' ? Buffer.from(data) : data);
    });
    this.pty.onExit(({ exitCode }) => {
      this.events.exited({ kind: 'code', code: exitCode }, false);
      this.events.closed();
    });
  }

  write(bytes: Buffer): Promise<WriteResult> {
    if (this.events.isExited) return Promise.resolve({ kind: 'refused', reason: 'ended' });
    this.pty.write(bytes);
    return Promise.resolve({ kind: 'written' });
  }

  inputDemand(): InputDemand {
    return { kind: 'unknown' };
  }

  endInput(): void {
    // The input of a terminal ends by a key.
  }

  pauseOutput(): void {
    this.pty.pause();
  }

  resumeOutput(): void {
    this.pty.resume();
  }

  resize({ cols, rows }: TerminalSize): void {
    if (!this.events.isExited) this.pty.resize(cols, rows);
  }

  signal(): void {
    // Windows has no signals; a program is interrupted by writing ^C to it.
  }

  terminate(): Promise<TerminateResult> {
    if (this.events.isExited) return Promise.resolve('ended');
    return new Promise((resolve) => {
      this.pty.onExit(() => {
        resolve('killed');
      });
      this.pty.kill();
    });
  }

  dispose(): void {
    this.events.dispose();
  }
}
