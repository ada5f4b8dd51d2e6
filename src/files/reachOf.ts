import type { LinkAccess } from './executorFileSystem';
import { FileError } from './fileError';
import { OpenReach } from './openReach';
import type { Reach } from './reach';

/** What an operation may reach. */
export function reachOf({ sandbox, followSymlinks = true }: LinkAccess): Promise<Reach> {
  if (sandbox === undefined || sandbox.permissions.kind === 'unrestricted') {
    return Promise.resolve(new OpenReach(followSymlinks));
  }
  return Promise.reject(
    FileError.refused('Files cannot be confined to a sandbox here, and what asks for one does not go without.'),
  );
}
