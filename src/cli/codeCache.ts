/**
 * Runs a bundle with the code that the engine compiled for it the last time: to compile it anew takes longer than all that it does
 * before its first reply. What is kept is good for one build, one version of Node and one user, and its loss costs only time:
 * whatever is wrong with it, the bundle is compiled as ever. (Node has this built in from version 22.1 on.)
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { constants, Script } from 'node:vm';

/** As for Node's own cache of code: it keeps and reads none where this is 1. */
const DISABLE_VARIABLE = 'NODE_DISABLE_COMPILE_CACHE';
/** By then a server has been greeted, and is not busy with it any more. Some are never let end by themselves. */
const KEEP_AFTER_MS = 3_000;
/** Code that grew by less would hardly be loaded faster. */
const WORTH_KEEPING_RATIO = 1.1;
/** Builds and versions of Node that are in use at the same time. */
const MAX_KEPT_FILES = 4;
const OTHERS_WRITE_MODE = 0o022;

/** As `require` calls a module. */
type Main = (
  ...args: readonly [exports: object, require: NodeJS.Require, module: object, file: string, folder: string]
) => void;

/** Runs the CommonJS bundle `file` (absolute) as `require` would, by code kept in `folder`, which it makes; `undefined`: keep none. */
export function runWithCodeCache(file: string, folder = codeCacheFolder(process.env)): void {
  const kept = folder === undefined ? undefined : path.join(folder, keptName(file));
  const cachedData = kept === undefined ? undefined : readOwn(kept);
  // Bundles are ASCII, which this reads fastest.
  const script = new Script(wrap(readFileSync(file, 'latin1')), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const isGood = cachedData !== undefined && script.cachedDataRejected === false;
  if (kept !== undefined) keepLater(script, kept, isGood ? cachedData.length : 0);
  const module = { exports: {} };
  const main = script.runInThisContext() as Main;
  main(module.exports, createRequire(file), module, file, path.dirname(file));
}

/** Of this user; `undefined` where the user wants none, or has no such place. */
export function codeCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env[DISABLE_VARIABLE] === '1') return undefined;
  const caches = {
    darwin: path.join(homedir(), 'Library', 'Caches'),
    win32: env['LOCALAPPDATA'],
  }[process.platform as string];
  const parent = env['XDG_CACHE_HOME'] ?? caches ?? path.join(homedir(), '.cache');
  return path.isAbsolute(parent) ? path.join(parent, 'exec-sessions', 'code') : undefined;
}

/** A build that differs has another time; the engine itself knows other versions and flags of its own. */
function keptName(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${path.basename(file)}-${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}`;
}

/** `undefined` where there is none, or where another user could have written it: it is code. */
function readOwn(kept: string): Buffer | undefined {
  try {
    const fd = openSync(kept, 'r');
    try {
      const { uid, mode } = fstatSync(fd);
      const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_WRITE_MODE) === 0);
      return isOwn ? readFileSync(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Once the start is over and again at the end: what a process needed that the one before did not is compiled by then too. */
function keepLater(script: Script, kept: string, keptBytes: number): void {
  let worthKeepingBytes = keptBytes * WORTH_KEEPING_RATIO;
  const keep = (): void => {
    try {
      const code = script.createCachedData();
      if (code.length <= worthKeepingBytes) return;
      write(code, kept);
      worthKeepingBytes = code.length * WORTH_KEEPING_RATIO;
    } catch {
      // A full or read-only disk: the next start takes its time again.
    }
  };
  setTimeout(keep, KEEP_AFTER_MS).unref();
  process.once('exit', keep);
}

function write(code: Buffer, kept: string): void {
  const folder = path.dirname(kept);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${kept}.${process.pid}`;
  writeFileSync(temporary, code, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, kept);
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  const newestFirst = files.map((file) => ({ file, ms: statSync(file).mtimeMs })).sort((a, b) => b.ms - a.ms);
  for (const { file } of newestFirst.slice(MAX_KEPT_FILES)) rmSync(file, { force: true });
}
