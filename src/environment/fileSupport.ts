import { FileError } from '../files/fileError';
import type { Machine } from './environmentManager';

/** Whether a machine has files for us. */
export type FileSupport = { readonly kind: 'available' } | { readonly kind: 'missing'; readonly reason: string };

/** Asks, since no server announces it. Rejects with a `FileError` where the machine cannot be reached. */
export async function findFileSupport({ files, label }: Pick<Machine, 'files' | 'label'>): Promise<FileSupport> {
  try {
    await files.getMetadata('/');
    return { kind: 'available' };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.kind === 'unreachable') throw error;
    // Whatever else it says of its root, it has understood the question.
    if (error.kind !== 'unsupported') return { kind: 'available' };
    return { kind: 'missing', reason: `The exec-server of ${label} works on no files.` };
  }
}
