import nodePath from 'node:path';
import { FileError } from '../fileError';
import type { FileSandbox, SandboxPlace } from './fileSandbox';

/** What Codex's own server shows for the files that programs need to start, as observed. */
const SYSTEM_FOLDERS = ['/bin', '/etc', '/lib', '/lib64', '/sbin', '/usr'];

/** Where on this machine a place is: none, one or several absolute paths, with their links. Not for patterns. */
export function findPlaces(
  where: Exclude<SandboxPlace, { readonly kind: 'pattern' }>,
  sandbox: FileSandbox,
): readonly string[] {
  if (where.kind === 'path') return [nodePath.resolve(where.path)];
  return basesOf(where.kind, sandbox).map((base) => nodePath.resolve(nodePath.join(base, where.subpath ?? '')));
}

type Role = Exclude<SandboxPlace['kind'], 'path' | 'pattern'>;

function basesOf(role: Role, { cwd, workspaceRoots = [] }: FileSandbox): readonly string[] {
  switch (role) {
    case 'root':
      return ['/'];
    case 'systemFiles':
      return SYSTEM_FOLDERS;
    case 'currentDirectory':
      if (cwd === undefined) throw FileError.badRequest('The sandbox names its current directory, and has none.');
      return [cwd];
    case 'workspaceRoots':
      return workspaceRoots;
    case 'temporaryDirectory': {
      const folder = process.env['TMPDIR'];
      return folder !== undefined && nodePath.isAbsolute(folder) ? [folder] : [];
    }
    case 'slashTmp':
      return ['/tmp'];
  }
}
