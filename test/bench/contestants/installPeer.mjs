import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peersFolder } from '../support/surroundings.mjs';
import { peerPackages } from './peerPackages.mjs';

/** Some peers bring several hundred packages; beyond this a registry is taken for unreachable. */
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * The `node_modules` of an installed peer, installed on the first call.
 * Each peer and version has a folder of its own, so that an upgrade never mixes with what was there.
 */
export async function installPeer(peer) {
  const { package: name, version, runsScripts } = peerPackages[peer];
  const folder = join(peersFolder, `${peer}-${version}`);
  if (!existsSync(folder)) await installInto(folder, { name, version, runsScripts });
  return join(folder, 'node_modules');
}

async function installInto(folder, { name, version, runsScripts }) {
  // Renamed when complete: an install that was cut off is not mistaken for a peer.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    writeFileSync(
      join(unfinished, 'package.json'),
      JSON.stringify({ private: true, allowScripts: { 'node-pty': runsScripts } }),
    );
    console.error(`installing ${name}@${version} ...`);
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', ...(runsScripts ? [] : ['--ignore-scripts'])];
    await npm(['install', '--save-exact', ...flags, `${name}@${version}`], unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: INSTALL_TIMEOUT_MS });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += data;
    });
    child.on('error', (error) => reject(new Error(`npm: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install failed (${signal ?? code}): ${errors.trim().split('\n')[0]}`));
    });
  });
}

/** The file behind a package's only or named command. */
export function binOf(nodeModules, packageName, command) {
  const { bin } = JSON.parse(readFileSync(join(nodeModules, packageName, 'package.json'), 'utf8'));
  return join(nodeModules, packageName, typeof bin === 'string' ? bin : bin[command]);
}
