import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repoRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Only what a stock system has: a developer's PATH (shims, version managers) would be measured instead of the server. */
const MINIMAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const cacheRoot = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'exec-sessions');

/** Where peers are installed and the C limit is compiled; kept between runs. */
export const peersFolder = resolve(process.env.EXEC_SESSIONS_PEERS_DIR || join(cacheRoot, 'peers'));

/**
 * A scratch HOME, working directory and environment for everything that is measured.
 * Nothing of the caller's environment is passed on: no profile, no telemetry identity, no running window to attach to.
 */
export function createSurroundings() {
  const root = mkdtempSync(join(tmpdir(), 'exec-sessions-bench-'));
  const home = join(root, 'home');
  const work = join(root, 'work');
  for (const folder of [home, work]) mkdirSync(folder);
  const env = { HOME: home, PATH: MINIMAL_PATH, SHELL: '/bin/bash', TERM: 'xterm-256color', LANG: 'C.UTF-8', USER: 'bench' };
  return { home, work, env, dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }) };
}
