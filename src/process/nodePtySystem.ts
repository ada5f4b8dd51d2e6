import { constants } from 'node:os';
import path from 'node:path';
import type { ExitStatus } from './execProcess';
import type { PtySystem } from './ptySystem';

/** The two calls of node-pty's compiled module (1.2, lib/unixTerminal.js); its own reader on top of them is not used. */
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

/** Starts programs with node-pty's fork. Throws where node-pty has no binary for this platform. */
export function createNodePtySystem(): PtySystem {
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
    reportsFailures: false,
    spawn: ({ program, argv: [, ...args], env, cwd, size: { cols, rows }, stdin, onExit }) => {
      if (stdin !== undefined) throw new Error('input by value together with a terminal is not possible on this platform');
      const report = (code: number, signal: number): void => {
        onExit(toExitStatus(code, signal));
      };
      const forked = native.fork(program, args, env, cwd, cols, rows, KEEP_USER, KEEP_USER, true, helperPath, report);
      return { fd: forked.fd, pid: forked.pid, device: forked.pty };
    },
    resize: (fd, { cols, rows }) => {
      native.resize(fd, cols, rows, 0, 0);
    },
  };
}

/** node-pty reports a death by signal as exit code 0 plus the signal's number. */
function toExitStatus(code: number, signalNumber: number): ExitStatus {
  return signalNumber === 0 ? { kind: 'code', code } : { kind: 'signal', signal: signalName(signalNumber) };
}

export function signalName(signalNumber: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signalNumber);
  // Real-time signals have no names.
  return found?.[0] ?? `signal ${signalNumber}`;
}
