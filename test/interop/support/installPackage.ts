import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../workbench/install.mjs';

/**
 * Installs one version of an npm package unless an earlier run has, and returns its folder. The folder appears when it is
 * complete, so that an interrupted installation is not mistaken for one.
 */
export async function installPackage(name: string, version: string): Promise<string> {
  const folder = path.join(cacheDir(), `${path.basename(name)}-${version}`);
  if (!existsSync(folder)) await installInto(folder, `${name}@${version}`);
  return path.join(folder, 'node_modules', name);
}

async function installInto(folder: string, specifier: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    writeFileSync(path.join(partial, 'package.json'), '{ "private": true }');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...flags, specifier], { cwd: partial });
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
