import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** How much of a failed program's output an error repeats, in characters: its last words, not its life. */
const OUTPUT_TAIL_CHARS = 4_000;

/**
 * Runs a program to its end and returns what it printed on stdout. A program that fails is an error that names the command
 * and repeats the end of its output. With `inherit` the program talks to our own terminal instead.
 */
export async function run(command, args, { cwd, env = process.env, inherit = false } = {}) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // Programs that npm or VS Code put on the path of Windows are .cmd files, which only a shell can start.
    shell: process.platform === 'win32' && !path.isAbsolute(command),
  });
  let stdout = '';
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
  const end = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  if (end !== 0) {
    throw new Error(`"${[command, ...args].join(' ')}" ended with ${end}.\n${output.slice(-OUTPUT_TAIL_CHARS)}`.trimEnd());
  }
  return stdout;
}

/** The full path of a program on `PATH`, or undefined. */
export function findOnPath(name) {
  const suffixes = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const suffix of suffixes) {
      const file = path.join(folder, name + suffix);
      if (folder !== '' && isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: both mean "look further".
    return false;
  }
}

/** Runs the npm that runs us, or else the one on `PATH`. */
export function runNpm(args, options) {
  const npmCli = process.env.npm_execpath;
  const [command, ...first] = npmCli?.endsWith('.js') ? [process.execPath, npmCli] : ['npm'];
  return run(command, [...first, ...args], { env: npmEnv(), ...options });
}

/** Our environment with what the user has configured for npm, but without what a running npm tells its scripts about itself. */
export function npmEnv(overrides = {}) {
  const isForeign = (name) => /^npm_(package_|lifecycle_|command$|config_.*prefix$)|^NODE_ENV$/i.test(name);
  return { ...withoutVariables(isForeign), ...overrides };
}

/**
 * Our environment without what npm, a test runner, an editor's terminal or an agent put there for themselves: a program
 * started with it behaves as if a person had opened a fresh terminal.
 */
export function neutralEnv(overrides = {}) {
  const isForeign = (name) =>
    /^(npm_|VSCODE_|VITEST|CODE_SERVER_|CODEX_|ELECTRON_|EXEC_SESSIONS_|TERM_PROGRAM|GIT_ASKPASS)/i.test(name) ||
    ['NODE_ENV', 'NODE_OPTIONS', 'TEST', 'FORCE_COLOR', 'INIT_CWD', 'PORT', 'PASSWORD', 'HASHED_PASSWORD'].includes(name);
  return { ...withoutVariables(isForeign), ...overrides };
}

function withoutVariables(isForeign) {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}
