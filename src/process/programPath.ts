import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** PATH of execvp where the environment has none. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** The file that the system would execute for a name or path, or `undefined`. */
export function findProgram(program: string, cwd: string, pathVariable: string | undefined): string | undefined {
  if (program === '') return undefined;
  const candidates = program.includes('/')
    ? [path.resolve(cwd, program)]
    : (pathVariable ?? DEFAULT_PATH).split(':').map((folder) => path.resolve(cwd, folder, program));
  return candidates.find(isExecutableFile);
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there or not permitted: either way it cannot be started.
    return false;
  }
}
