import path from 'node:path';
import type { TerminalSize } from './execProcess';

export interface ForkOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** Entries `NAME=value`. */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly size: TerminalSize;
  /** `signal` is 0 for a normal end. */
  readonly onExit: (code: number, signal: number) => void;
}

/** The two native calls that a PTY needs, as node-pty 1.2 exports them from its compiled module (lib/unixTerminal.js). */
export interface NativePty {
  /** Starts a program as leader of a new session on a new terminal; the caller owns `fd`, the non-blocking master. */
  fork(options: ForkOptions): { fd: number; pid: number; device: string };
  resize(fd: number, size: TerminalSize): void;
}

interface NodePtyModule {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

const KEEP_USER = -1;

/** Throws where node-pty has no binary for this platform. */
export function loadNativePty(): NativePty {
  // Required, not imported: it lies beside the bundle, and a missing binary must not keep the product from starting.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { loadNativeModule } = require('node-pty/lib/utils') as {
    loadNativeModule: (name: string) => { dir: string; module: NodePtyModule };
  };
  const { dir, module: native } = loadNativeModule('pty');
  const utilsFolder = path.dirname(require.resolve('node-pty/lib/utils'));
  // macOS starts programs through this helper; in a packed application it lies outside of the archive.
  const helperPath = path
    .resolve(utilsFolder, dir, 'spawn-helper')
    .replace('app.asar', 'app.asar.unpacked')
    .replace('node_modules.asar', 'node_modules.asar.unpacked');
  return {
    fork: ({ program, args, env, cwd, size: { cols, rows }, onExit }) => {
      const forked = native.fork(program, args, env, cwd, cols, rows, KEEP_USER, KEEP_USER, true, helperPath, onExit);
      return { fd: forked.fd, pid: forked.pid, device: forked.pty };
    },
    resize: (fd, { cols, rows }) => {
      native.resize(fd, cols, rows, 0, 0);
    },
  };
}
