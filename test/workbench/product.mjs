import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run, runNpm } from './processes.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where the build leaves the extension package for this platform. */
export function productVsixPath() {
  const { name, version } = readJson(path.join(ROOT, 'package.json'));
  return path.join(ROOT, 'dist', `${name}-${process.platform}-${process.arch}-${version}.vsix`);
}

/** Installs what package-lock.json names, unless that is what is installed already. */
export async function ensureDependencies({ log = () => undefined } = {}) {
  if (areDependenciesInstalled()) return;
  log('Installing the packages the build needs (npm ci)');
  await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: ROOT });
}

/** Builds the extension and packages it; returns the path of the package. */
export async function buildProduct({ log = () => undefined } = {}) {
  log('Building and packaging the extension');
  await run(process.execPath, [path.join(ROOT, 'esbuild.mjs'), '--package'], { cwd: ROOT });
  const vsixFile = productVsixPath();
  if (!existsSync(vsixFile)) throw new Error(`The build has ended well, but there is no ${vsixFile}.`);
  return vsixFile;
}

/**
 * Compares versions and not file times: npm writes the two files in an order that says nothing, and a checkout gives the
 * lock file a new time without a new content. Optional packages may be missing: they are for other platforms.
 */
function areDependenciesInstalled() {
  const installedFile = path.join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = readJson(installedFile).packages;
  const wanted = Object.entries(readJson(path.join(ROOT, 'package-lock.json')).packages).filter(([folder]) => folder !== '');
  return wanted.every(([folder, { version, optional }]) => {
    const found = installed[folder];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
