import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import type { Dialer } from './dialer';
import type { MessageTransport } from './messageTransport';
import { StreamTransport } from './streamTransport';

/** How long a program may take to end once it was asked to, as with Codex's own clients. */
const END_GRACE_MS = 2_000;
/** The same for one that has closed its output before that. */
const EXIT_GRACE_MS = 500;
/** The last of what a program says on its error output is the reason why it failed. */
const ERROR_TAIL_CHARACTERS = 500;

export interface ProgramAddress {
  /** The program and its arguments, such as `ssh host exec-sessions exec-server --listen stdio`; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string | undefined;
  /** Its whole environment; that of this process unless given. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** What its user should know when it ends with an exit code, as part of a sentence. */
  readonly adviceOn?: Readonly<Record<number, string>>;
}

/** Starts a program that speaks the protocol on its standard input and output, and ends it with the connection. */
export function programDialer({ argv, cwd, env, adviceOn = {} }: ProgramAddress): Dialer {
  const [program, ...args] = argv;
  // Arguments may be secret.
  const label = path.basename(program);
  return {
    label,
    // Each one is a server of its own, which ends its programs with its input.
    isLasting: false,
    dial: () =>
      new Promise<MessageTransport>((resolve, reject) => {
        const child = spawn(program, args, {
          cwd,
          env,
          stdio: 'pipe',
          windowsHide: true,
          detached: process.platform !== 'win32',
        });
        child.once('error', reject);
        child.once('spawn', () => {
          child.off('error', reject);
          resolve(new ProgramTransport(label, child, adviceOn));
        });
      }),
  };
}

/** The same for a command line, read by the system's shell. */
export function shellCommandDialer(command: string, options: Omit<ProgramAddress, 'argv'> = {}): Dialer {
  const argv: [string, ...string[]] =
    process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];
  return { ...programDialer({ ...options, argv }), label: 'a shell command' };
}

/** Tells of the end of the program with its exit code and the last of its error output. */
class ProgramTransport extends StreamTransport {
  constructor(label: string, child: ChildProcessWithoutNullStreams, adviceOn: Readonly<Record<number, string>>) {
    let errorTail = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errorTail = `${errorTail}${chunk.toString('utf8')}`.slice(-ERROR_TAIL_CHARACTERS);
    });
    // Killed between two writes: the exit says more than a broken pipe.
    child.on('error', () => undefined);
    const exit = new Promise<string>((resolve) => {
      child.on('close', (code, signal) => {
        const ended = `the program ended with ${code === null ? `signal ${String(signal)}` : `exit code ${code}`}`;
        const advice = code === null ? undefined : adviceOn[code];
        const told = [errorTail.trim(), advice ?? ''].filter((text) => text !== '').join('; ');
        resolve(told === '' ? ended : `${ended}: ${told}`);
      });
    });
    super(label, {
      input: child.stdout,
      output: child.stdin,
      describeEnd: () => exit,
      release: (isOurs) => {
        endSoon(child, isOurs);
      },
    });
  }
}

/** Ends what does not end by itself, with all that it has started. */
function endSoon(child: ChildProcessWithoutNullStreams, isOurs: boolean): void {
  const signals: readonly [NodeJS.Signals, number][] = [
    // One that has closed its end is about to exit, and should get to say how.
    ['SIGTERM', isOurs ? 0 : EXIT_GRACE_MS],
    ['SIGKILL', END_GRACE_MS],
  ];
  const timers = signals.map(([signal, ms]) => setTimeout(() => signalGroup(child, signal), ms));
  child.once('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
