import { accessSync, constants } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { version } from '../../../package.json';
import { EXTENSIONS_CAPABILITY } from '../wire/extensions';
import { SANDBOXED_STREAMING_CAPABILITY, WATCH_MISSING_CAPABILITY, WRITE_STREAMING_CAPABILITY } from '../wire/fileMethods';
import { HEADER_VARIABLES_CAPABILITY } from '../wire/httpMethods';
import { toPathUri } from '../wire/pathUri';
import type { EnvironmentInfo } from '../wire/sessionMethods';

const FALLBACK_SHELL = process.platform === 'win32' ? 'cmd.exe' : '/bin/bash';
/** Shells whose `-c` and `-lc` mean what clients of this protocol take them to mean. */
const KNOWN_SHELLS = ['bash', 'zsh', 'sh'];
const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macos', win32: 'windows' };

/** What a server has for its clients besides programs. */
export interface Offers {
  readonly hasFiles: boolean;
  readonly hasHttp: boolean;
}

/** What clients learn of this machine. */
export function describeEnvironment({ hasFiles, hasHttp }: Offers, env: NodeJS.ProcessEnv = process.env): EnvironmentInfo {
  const shell = findShell(env['SHELL']);
  return {
    shell: { name: path.basename(shell), path: shell },
    executorVersion: version,
    cwd: toPathUri(process.cwd()),
    userHomeDir: toPathUri(homedir()),
    platformOs: PLATFORM_NAMES[process.platform] ?? process.platform,
    temporaryDirectories: env['TMPDIR'] === undefined ? [] : [toPathUri(env['TMPDIR'])],
    tempDir: toPathUri(tmpdir()),
    capabilities: {
      [EXTENSIONS_CAPABILITY]: true,
      [HEADER_VARIABLES_CAPABILITY]: hasHttp,
      [SANDBOXED_STREAMING_CAPABILITY]: hasFiles && process.platform === 'linux',
      [WRITE_STREAMING_CAPABILITY]: hasFiles,
      [WATCH_MISSING_CAPABILITY]: hasFiles,
    },
  };
}

function findShell(preferred: string | undefined): string {
  if (preferred === undefined || !path.isAbsolute(preferred)) return FALLBACK_SHELL;
  if (!KNOWN_SHELLS.includes(path.basename(preferred))) return FALLBACK_SHELL;
  try {
    accessSync(preferred, constants.X_OK);
    return preferred;
  } catch {
    return FALLBACK_SHELL;
  }
}
