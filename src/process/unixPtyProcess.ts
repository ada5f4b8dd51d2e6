/**
 * A program on a PTY of this machine (Linux, macOS). Owns the master descriptor itself: a reader that trusts libuv loses the end
 * of the output (a short read plus hang-up is taken for the end), and node-pty's own also waits 200 ms at an exit with a
 * background child and spins on a blocked write.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { OnReadOpts, SocketConstructorOpts } from 'node:net';
import { constants as systemConstants } from 'node:os';
import { ReadStream } from 'node:tty';
import { CanonicalLineSplitter } from './canonicalLines';
import type {
  ExecProcess,
  ExitStatus,
  InputDemand,
  ProcessEvent,
  ProcessSpec,
  TerminalSize,
  TerminateResult,
  WriteResult,
} from './execProcess';
import type { Event } from '../base/emitter';
import { InputQueue } from './inputQueue';
import { findJobDemand } from './jobDemand';
import { lastErrorNumber, libc } from './libc';
import { ProcessEvents } from './processEvents';
import { trySignal } from './processMembers';
import type { PtySystem } from './ptySystem';
import { SESSION_MARK } from './sessionMark';
import { terminateMembers } from './terminateMembers';
import { readTerminalMode } from './terminalMode';

const { errno } = systemConstants;

const READ_BYTES = 65_536;
/** One buffer for every terminal: listeners consume a chunk during the event, so none of it outlives a callback. */
const sharedReadBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
/** Drains happen inside callbacks that may still hold the buffer above. */
const drainBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

export class UnixPtyProcess implements ExecProcess {
  readonly pid: number;
  readonly outlivesUs = false;
  readonly onEvent: Event<ProcessEvent>;

  private readonly events = new ProcessEvents();
  private readonly fd: number;
  private readonly device: string;
  private readonly mark: string | undefined;
  /**
   * The other side, held by us until the program has ended: one that closes its own descriptors before it exits would otherwise
   * hang up its terminal, and be killed by that.
   */
  private otherSide: number | undefined;
  private readonly reader: ReadStream;
  private readonly lines = new CanonicalLineSplitter();
  private readonly input = new InputQueue({
    prepare: (bytes) => (this.isOpen ? this.lines.split(bytes, readTerminalMode(this.fd)) : bytes),
    writeSome: (bytes) => this.writeSome(bytes),
  });
  private isOpen = true;
  private isPaused = false;

  /** `program` is the path of `spec.argv[0]`. Throws where the system refuses a PTY or a process. */
  constructor(
    private readonly system: PtySystem,
    { program, spec, size }: { program: string; spec: ProcessSpec; size: TerminalSize },
  ) {
    this.onEvent = this.events.event;
    this.mark = spec.env[SESSION_MARK];
    const spawned = system.spawn({
      program,
      argv: spec.arg0 === undefined ? spec.argv : [spec.arg0, ...spec.argv.slice(1)],
      env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
      cwd: spec.cwd,
      size,
      stdin: spec.stdin === 'open' ? undefined : spec.stdin,
      onExit: (status) => {
        this.handleExit(status);
      },
    });
    this.fd = spawned.fd;
    this.pid = spawned.pid;
    this.device = spawned.device;
    this.otherSide = openSync(this.device, constants.O_RDWR | constants.O_NOCTTY);
    const readerOptions: SocketConstructorOpts & { onread: OnReadOpts } = {
      onread: {
        buffer: sharedReadBuffer,
        callback: (byteCount) => {
          this.events.output('terminal', sharedReadBuffer.subarray(0, byteCount));
          return !this.isPaused;
        },
      },
    };
    this.reader = new ReadStream(this.fd, readerOptions);
    this.reader.on('end', () => {
      this.drain();
      this.close();
    });
    // EIO is how a terminal says that nobody holds its other end any more.
    this.reader.on('error', () => {
      this.close();
    });
    this.reader.on('close', () => {
      this.close();
    });
    this.reader.resume();
  }

  write(bytes: Buffer): Promise<WriteResult> {
    return this.input.write(bytes);
  }

  inputDemand(): InputDemand {
    if (!this.isOpen || this.events.isExited) return { kind: 'none' };
    const demand = findJobDemand({ leaderPid: this.pid, device: this.device });
    if (demand.kind === 'unknown' || demand.kind === 'none') return demand;
    this.drain();
    const mode = readTerminalMode(this.fd);
    const isLineMode = mode?.isCanonical === true;
    const isHidden = isLineMode && !mode.isEcho;
    // Of sudo and its like only this is certain: who switches the echo off and then sleeps waits for a password.
    if (demand.kind === 'guarded')
      return isHidden ? { ...demand, kind: 'reading', isLineMode, isHidden } : { kind: 'unknown' };
    return { kind: demand.kind, stamp: demand.stamp, isLineMode, isHidden };
  }

  endInput(): void {
    // The input of a terminal ends by a key.
  }

  pauseOutput(): void {
    this.isPaused = true;
    this.reader.pause();
  }

  resumeOutput(): void {
    this.isPaused = false;
    if (this.isOpen) this.reader.resume();
  }

  resize(size: TerminalSize): void {
    if (this.isOpen) this.system.resize(this.fd, size);
  }

  signal(name: NodeJS.Signals): void {
    if (!this.events.isExited) trySignal(-this.pid, name);
  }

  async terminate(): Promise<TerminateResult> {
    // Nobody holds the terminal any more: who has no mark cannot be found again.
    if (this.events.isClosed && this.mark === undefined) return 'ended';
    return terminateMembers({ leaderPid: this.pid, isLeaderGone: () => this.events.isExited, mark: this.mark });
  }

  dispose(): void {
    this.close();
    this.events.dispose();
  }

  private handleExit(status: ExitStatus): void {
    // The program is reaped: all that it wrote is in the terminal's buffer and comes out of these reads.
    this.drain();
    this.releaseOtherSide();
    const isOutputHeld = this.isOpen && this.drain() === 'held';
    this.events.exited(status, isOutputHeld);
    if (!isOutputHeld) this.close();
  }

  /** Reads all that is there. `held`: nothing more for now, but somebody has the other end open. */
  private drain(): 'held' | 'ended' {
    while (this.isOpen) {
      // Not Node's own read: that makes an error with a stack of "nothing there", which is what most drains end with.
      const byteCount = libc.read()(this.fd, drainBuffer, READ_BYTES);
      if (byteCount < 0) return lastErrorNumber() === errno.EAGAIN ? 'held' : 'ended';
      if (byteCount === 0) return 'ended';
      this.events.output('terminal', drainBuffer.subarray(0, byteCount));
    }
    return 'ended';
  }

  private writeSome(bytes: Buffer): number | 'full' | 'gone' {
    if (!this.isOpen || this.events.isExited) return 'gone';
    try {
      return writeSync(this.fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'full' : 'gone';
    }
  }

  private releaseOtherSide(): void {
    if (this.otherSide !== undefined) closeSync(this.otherSide);
    this.otherSide = undefined;
  }

  private close(): void {
    this.releaseOtherSide();
    if (this.isOpen) {
      this.isOpen = false;
      // Whoever waits for the end is answered before the rest is cleared away.
      setImmediate(() => this.reader.destroy());
    }
    this.events.closed();
  }
}
