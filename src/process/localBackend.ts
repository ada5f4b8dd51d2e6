import type { ExecBackend, ProcessSpec, StartFailure, StartResult, TerminalSize } from './execProcess';
import { loadNativePty, type NativePty } from './nativePty';
import { PipeProcess } from './pipeProcess';
import { findStartFailure } from './startChecks';
import { UnixPtyProcess } from './unixPtyProcess';
import { WindowsPtyProcess } from './windowsPtyProcess';

/** Starts programs on this machine. */
export class LocalBackend implements ExecBackend {
  private native: NativePty | undefined;

  /** `loadNative` throws where there is no PTY support. */
  constructor(private readonly loadNative: () => NativePty = loadNativePty) {}

  async start(spec: ProcessSpec): Promise<StartResult> {
    const failure = findStartFailure(spec);
    if (failure !== undefined) return { kind: 'failed', failure };
    if (spec.terminal === undefined) return PipeProcess.start(spec);
    return this.startOnTerminal(spec, spec.terminal);
  }

  private startOnTerminal(spec: ProcessSpec, size: TerminalSize): StartResult {
    try {
      if (process.platform === 'win32') return { kind: 'started', process: new WindowsPtyProcess(spec, size) };
      this.native ??= this.loadNative();
    } catch (error) {
      return { kind: 'failed', failure: noTerminal(error) };
    }
    try {
      return { kind: 'started', process: new UnixPtyProcess(this.native, spec, size) };
    } catch (error) {
      const message = `The system refused a terminal for ${JSON.stringify(spec.argv[0])}: ${describe(error)}. Too many open sessions? End some.`;
      return { kind: 'failed', failure: { kind: 'spawnFailed', message } };
    }
  }
}

function noTerminal(error: unknown): StartFailure {
  return {
    kind: 'noTerminal',
    message: `No terminal can be had here (${process.platform}-${process.arch}): ${describe(error)}. Run the command without one (tty: false).`,
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
