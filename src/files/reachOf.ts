import type { LinkAccess } from './executorFileSystem';
import { FileError } from './fileError';
import { OpenReach } from './openReach';
import type { Reach } from './reach';
import { ConfinedReach } from './sandbox/confinedReach';
import { SandboxRules } from './sandbox/sandboxRules';

/** What an operation may reach. Rejects for a sandbox that cannot be kept here: what asks for one does not go without. */
export async function reachOf({ sandbox, followSymlinks = true }: LinkAccess): Promise<Reach> {
  if (sandbox === undefined || sandbox.permissions.kind === 'unrestricted') return new OpenReach(followSymlinks);
  if (process.platform !== 'linux') {
    throw FileError.refused(
      'This machine cannot keep file operations within a sandbox (only Linux can). Ask for full access, or use another machine.',
    );
  }
  return new ConfinedReach(await SandboxRules.resolve(sandbox), followSymlinks);
}
