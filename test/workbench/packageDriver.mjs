import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './processes.mjs';

const DRIVER_FOLDER = fileURLToPath(new URL('driver/', import.meta.url));
const VSCE = fileURLToPath(new URL('../../node_modules/@vscode/vsce/vsce', import.meta.url));

/** Packages the extension in `driver/` into `folder`, which the caller owns, and returns the path of the package. */
export async function packageDriver(folder) {
  const vsixFile = path.join(folder, 'exec-sessions-driver.vsix');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', vsixFile];
  await run(process.execPath, [VSCE, 'package', ...flags], { cwd: DRIVER_FOLDER });
  return vsixFile;
}
