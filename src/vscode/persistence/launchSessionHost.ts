import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createRuntimeFolder } from '../../attach/runtimeFolder';

/** From a cold disk Node takes a second or two; what takes longer than this does not come. */
const START_TIMEOUT_MS = 20_000;
const NAME_BYTES = 6;

/** What Node and the natives need; everything that a session gets is sent with it. */
const HOST_VARIABLES = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TMPDIR', 'TEMP', 'XDG_RUNTIME_DIR', 'LANG'];

export interface LaunchedHost {
  readonly pid: number;
  /** Where it listens. */
  readonly socket: string;
}

/** Starts a session host that outlives this window: `cli`, run with the editor's own Node. Rejects with what went wrong. */
export async function launchSessionHost(cli: string): Promise<LaunchedHost> {
  const socket = socketPath(createRuntimeFolder(process.env), `host-${randomBytes(NAME_BYTES).toString('hex')}`);
  const child = spawn(process.execPath, [cli, 'session-host', '--socket', socket], {
    detached: true,
    // Where the editor's program is Electron it is told to be Node.
    env: { ...pick(process.env, HOST_VARIABLES), ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { stdout, stderr } = child;
  await new Promise<void>((resolve, reject) => {
    let complaint = '';
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`it said nothing for ${START_TIMEOUT_MS} ms`));
    }, START_TIMEOUT_MS);
    stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`it ended at once (${signal ?? code ?? 'unknown'}) ${complaint.trim()}`));
    });
    stdout.once('data', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  child.removeAllListeners();
  stdout.destroy();
  stderr.destroy();
  child.unref();
  return { pid: child.pid ?? 0, socket };
}

function socketPath(folder: string, name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\exec-sessions-${name}` : path.join(folder, `${name}.sock`);
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
