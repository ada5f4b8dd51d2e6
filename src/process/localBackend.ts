import type { ExecBackend, ProcessSpec, StartFailure, StartResult, TerminalSize } from './execProcess';
import { createNodePtySystem } from './nodePtySystem';
import { PipeProcess } from './pipeProcess';
import { applyPolicy } from './shellEnvironmentPolicy';
import { findProgram } from './programPath';
import type { PtySystem } from './ptySystem';
import { createSpawnPtySystem } from './spawnPtySystem';
import { findStartFailure, findUnsendable } from './startChecks';
import { UnixPtyProcess } from './unixPtyProcess';
import { WindowsPtyProcess } from './windowsPtyProcess';
import { messageOf } from '../base/messageOf';

/** Starts programs on this machine. */
export class LocalBackend implements ExecBackend {
  private system: PtySystem | undefined;

  /**
   * `createSystem` throws where there are no terminals for programs. `hostEnv` is what an `envPolicy` starts from; a copy, because
   * `process.env` asks the system for each variable each time, which takes longer than all else before a start.
   */
  constructor(
    private readonly createSystem: () => PtySystem = createPtySystem,
    private readonly hostEnv: NodeJS.ProcessEnv = { ...process.env },
  ) {}

  async start({ envPolicy, ...rest }: ProcessSpec): Promise<StartResult> {
    const inherited = envPolicy === undefined ? {} : applyPolicy(this.hostEnv, envPolicy).env;
    const spec: ProcessSpec = { ...rest, env: { ...inherited, ...rest.env } };
    const failure = findUnsendable(spec);
    if (failure !== undefined) return { kind: 'failed', failure };
    if (spec.terminal !== undefined) return this.startOnTerminal(spec, spec.terminal);
    return startFailed(spec) ?? PipeProcess.start(spec);
  }

  /** Loads what the first start on a terminal loads: for a server whose own files may be replaced while it runs. Throws like it. */
  prepare(): void {
    if (process.platform !== 'win32') this.system ??= this.createSystem();
  }

  private startOnTerminal(spec: ProcessSpec, size: TerminalSize): StartResult {
    const [name] = spec.argv;
    try {
      if (process.platform === 'win32') {
        return startFailed(spec) ?? { kind: 'started', process: new WindowsPtyProcess(spec, size) };
      }
      this.system ??= this.createSystem();
    } catch (error) {
      return { kind: 'failed', failure: noTerminal(error) };
    }
    if (!this.system.reportsFailures) {
      const failed = startFailed(spec);
      if (failed !== undefined) return failed;
    }
    const program = name.startsWith('/') ? name : (findProgram(name, spec.cwd, spec.env['PATH']) ?? name);
    try {
      return { kind: 'started', process: new UnixPtyProcess(this.system, { program, spec, size }) };
    } catch (error) {
      const message = `${JSON.stringify(name)} could not be started on a terminal: ${messageOf(error)}.`;
      return startFailed(spec) ?? { kind: 'failed', failure: { kind: 'spawnFailed', message } };
    }
  }
}

function startFailed(spec: ProcessSpec): StartResult | undefined {
  const failure = findStartFailure(spec);
  return failure === undefined ? undefined : { kind: 'failed', failure };
}

function createPtySystem(): PtySystem {
  try {
    return createSpawnPtySystem();
  } catch {
    // Not Linux, or a C library without the calls: node-pty does the same, only slower.
    return createNodePtySystem();
  }
}

function noTerminal(error: unknown): StartFailure {
  return {
    kind: 'noTerminal',
    message: `No terminal can be had here (${process.platform}-${process.arch}): ${messageOf(error)}. Run the command without one (tty: false).`,
  };
}
