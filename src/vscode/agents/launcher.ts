/**
 * A program that starts the command line of this extension. Agents are told of it, and not of the command line itself: the folder
 * of an extension and the runtime of the editor change with every update, and the launcher stays where it is.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RUNTIME_FOLDER_VARIABLE } from '../../attach/runtimeFolder';
import { quoteForShell } from '../../base/quoteForShell';

export interface LauncherOptions {
  /** Where it lies; made where there is none. */
  readonly folder: string;
  /** A Node.js, or an Electron that can be one. */
  readonly runtime: string;
  readonly commandLine: string;
  /** Where the windows of this editor leave their records; `undefined`: in none. */
  readonly runtimeFolder: string | undefined;
}

const OWNER_ONLY = 0o700;
const NAME = process.platform === 'win32' ? 'exec-sessions.cmd' : 'exec-sessions';
const MOVED = 'exec-sessions: VS Code or the extension has moved. Start VS Code once, with Exec Sessions in it.';

/** Writes it anew where it is another, and returns its path. */
export function writeLauncher(options: LauncherOptions): string {
  const file = path.join(options.folder, NAME);
  const text = process.platform === 'win32' ? batchFile(options) : shellScript(options);
  if (readIfThere(file) === text) return file;
  mkdirSync(options.folder, { recursive: true });
  // Put in place as a whole: an agent may be starting it this moment.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: OWNER_ONLY });
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, file);
  return file;
}

function shellScript({ runtime, commandLine, runtimeFolder }: LauncherOptions): string {
  const variable = runtimeFolder === undefined ? '' : `export ${RUNTIME_FOLDER_VARIABLE}=${quoteForShell(runtimeFolder)}\n`;
  return `#!/bin/sh
# Starts the command line of Exec Sessions. Its extension writes this file at every start: changes are lost.
runtime=${quoteForShell(runtime)}
command_line=${quoteForShell(commandLine)}
if [ ! -x "$runtime" ] || [ ! -f "$command_line" ]; then
  echo ${quoteForShell(MOVED)} >&2
  exit 127
fi
export ELECTRON_RUN_AS_NODE=1
${variable}exec "$runtime" "$command_line" "$@"
`;
}

function batchFile({ runtime, commandLine, runtimeFolder }: LauncherOptions): string {
  const variable = runtimeFolder === undefined ? [] : [`set "${RUNTIME_FOLDER_VARIABLE}=${escapePercent(runtimeFolder)}"`];
  return [
    '@echo off',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    ...variable,
    `"${escapePercent(runtime)}" "${escapePercent(commandLine)}" %*`,
    '',
  ].join('\r\n');
}

function escapePercent(text: string): string {
  return text.replaceAll('%', '%%');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
