import { onTestFinished } from 'vitest';
import { Deferred } from '../../src/base/deferred';
import type { ExecBackend, ExecProcess, ExitStatus, ProcessSpec, StartFailure } from '../../src/process/execProcess';
import { LocalBackend } from '../../src/process/localBackend';

export const TERMINAL = { cols: 80, rows: 24 };

/** What a process did so far: copies of its output, and its other events as they came. */
export interface ObservedProcess {
  readonly process: ExecProcess;
  readonly sequence: number[];
  readonly events: string[];
  output(): string;
  outputBytes(): Buffer;
  readonly exited: Promise<unknown>;
  readonly closed: Promise<unknown>;
}

export type SpecOverrides = Partial<ProcessSpec> & { command?: string };

export function processSpec({ command = 'true', ...overrides }: SpecOverrides = {}): ProcessSpec {
  return {
    argv: ['/bin/bash', '--norc', '-c', command],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color' },
    terminal: TERMINAL,
    ...overrides,
  };
}

/** Starts a program on this machine and records what it does; it is ended when the running test has finished. */
export async function runProcess(
  overrides: SpecOverrides = {},
  backend: ExecBackend = new LocalBackend(),
): Promise<ObservedProcess> {
  const result = await backend.start(processSpec(overrides));
  if (result.kind === 'failed') throw new Error(result.failure.message);
  const { process } = result;
  const chunks: Buffer[] = [];
  const sequence: number[] = [];
  const events: string[] = [];
  const exited = new Deferred<undefined>();
  const closed = new Deferred<undefined>();
  process.onEvent((event) => {
    sequence.push(event.seq);
    if (event.type === 'output') chunks.push(Buffer.from(event.chunk));
    if (event.type === 'exited') {
      const { status } = event;
      events.push(describeExit(status));
      if (event.isOutputHeld) events.push('output held');
      exited.resolve(undefined);
    }
    if (event.type === 'closed') {
      events.push('closed');
      closed.resolve(undefined);
    }
  });
  onTestFinished(async () => {
    await process.terminate();
    process.dispose();
  });
  return {
    process,
    sequence,
    events,
    outputBytes: () => Buffer.concat(chunks),
    output: () => Buffer.concat(chunks).toString('utf8'),
    exited: exited.promise,
    closed: closed.promise,
  };
}

function describeExit(status: ExitStatus): string {
  switch (status.kind) {
    case 'code':
      return `exit code ${String(status.code)}`;
    case 'signal':
      return `signal ${status.signal}`;
    case 'lost':
      return status.message;
  }
}

/** Starts what must not start, and returns why it did not. */
export async function startFailure(
  overrides: SpecOverrides,
  backend: ExecBackend = new LocalBackend(),
): Promise<StartFailure> {
  const result = await backend.start(processSpec(overrides));
  if (result.kind === 'failed') return result.failure;
  await result.process.terminate();
  throw new Error('it started');
}
