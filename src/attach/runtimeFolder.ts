/**
 * The folder in which windows leave word of themselves for the command line: nobody else may enter it. Windows and agents are
 * started in many ways, and agents hand on few variables, so whoever searches looks in every place that a window may have chosen.
 */
import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../base/messageOf';

/** Names the folder itself; the launcher sets it to that of the window that wrote it. */
export const RUNTIME_FOLDER_VARIABLE = 'EXEC_SESSIONS_RUNTIME_DIR';

const OWNER_ONLY = 0o700;
const OTHERS_MODE = 0o077;
const OTHERS_WRITE_MODE = 0o022;
/** In a folder with this bit only its owner renames or removes a file, as in `/tmp`. */
const STICKY_MODE = 0o1000;
const ROOT = 0;

/** Makes the folder of a window where there is none, and returns its real path. Throws when no place for it is safe. */
export function createRuntimeFolder(env: NodeJS.ProcessEnv): string {
  const faults: string[] = [];
  for (const candidate of candidates(env)) {
    const check = checkFolder(candidate, { isCreating: true });
    if (check.kind === 'safe') return check.folder;
    faults.push(check.fault);
  }
  throw new Error(`There is no safe folder for the socket of this window: ${faults.join('; ')}.`);
}

/** Every folder that windows of this user may be using now, by their real paths. */
export function findRuntimeFolders(env: NodeJS.ProcessEnv): string[] {
  const checks = candidates(env).map((candidate) => checkFolder(candidate, { isCreating: false }));
  return [...new Set(checks.flatMap((check) => (check.kind === 'safe' ? [check.folder] : [])))];
}

/** In the order in which a window tries them. */
function candidates(env: NodeJS.ProcessEnv): string[] {
  const uid = process.getuid?.();
  const given = env[RUNTIME_FOLDER_VARIABLE];
  const runtime = [
    env['XDG_RUNTIME_DIR'],
    process.platform === 'linux' && uid !== undefined ? `/run/user/${uid}` : undefined,
  ];
  const temporary = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp'];
  return [
    ...(isAbsolute(given) ? [given] : []),
    ...runtime.filter(isAbsolute).map((parent) => path.join(parent, 'exec-sessions')),
    ...temporary.map((parent) => path.join(parent, uid === undefined ? 'exec-sessions' : `exec-sessions-${uid}`)),
  ];
}

function isAbsolute(folder: string | undefined): folder is string {
  return folder !== undefined && path.isAbsolute(folder);
}

type FolderCheck = { readonly kind: 'safe'; readonly folder: string } | { readonly kind: 'unsafe'; readonly fault: string };

function checkFolder(candidate: string, { isCreating }: { readonly isCreating: boolean }): FolderCheck {
  try {
    const parent = realpathSync(path.dirname(candidate));
    const folder = path.join(parent, path.basename(candidate));
    const fault = findParentFault(lstatSync(parent));
    if (fault !== undefined) return { kind: 'unsafe', fault: `${parent} ${fault}` };
    if (isCreating) mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    const ownFault = findOwnFault(lstatSync(folder));
    return ownFault === undefined ? { kind: 'safe', folder } : { kind: 'unsafe', fault: `${folder} ${ownFault}` };
  } catch (error) {
    return { kind: 'unsafe', fault: messageOf(error) };
  }
}

/** In a folder where others may put things, they could put theirs in place of ours. */
function findParentFault(stats: Stats): string | undefined {
  if (!stats.isDirectory()) return 'is no folder';
  if (process.getuid === undefined) return undefined;
  if (stats.uid !== process.getuid() && stats.uid !== ROOT) return 'belongs to somebody else';
  const isOpen = (stats.mode & OTHERS_WRITE_MODE) !== 0 && (stats.mode & STICKY_MODE) === 0;
  return isOpen ? 'can be written by others' : undefined;
}

/** Where there are no owners and modes, as on Windows, the temporary folder of the user is the user's alone. */
function findOwnFault(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'is a link';
  if (!stats.isDirectory()) return 'is no folder';
  if (process.getuid === undefined) return undefined;
  if (stats.uid !== process.getuid()) return 'belongs to somebody else';
  return (stats.mode & OTHERS_MODE) === 0 ? undefined : 'is open to others';
}
