/** Copies and moves within an environment, and from one to another. The protocol has a copy within one machine, and no move. */
import { copyBetween, type FilePlace } from '../../files/copyBetween';
import type { FileMetadata } from '../../files/executorFileSystem';
import { FileError, isNotFound } from '../../files/fileError';

export interface Relocation {
  readonly from: FilePlace;
  readonly to: FilePlace;
  /** Whether what is at `to` may be replaced: as a whole, folders are not merged. */
  readonly overwrite: boolean;
}

/** Of what is at a place; `undefined` where nothing is. */
export async function findMetadata({ files, path }: FilePlace): Promise<FileMetadata | undefined> {
  try {
    return await files.getMetadata(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** After an error what was copied until then stays, and so does the original. */
export async function copy(relocation: Relocation): Promise<void> {
  const { from, to } = relocation;
  // It has to be there before anything is removed for it.
  await from.files.getMetadata(from.path);
  await makeRoom(relocation);
  if (from.files === to.files) await from.files.copy(from.path, to.path, { isRecursive: true });
  else await copyBetween(from, to);
}

/** Copies, and removes the original only when all of it is there: in between it is at both places. */
export async function move(relocation: Relocation): Promise<void> {
  const { from, to } = relocation;
  if (from.files !== to.files && !(await from.files.getMetadata(from.path)).isFile) {
    // Links that lead nowhere would be lost: they are not in the listing of a folder.
    const advice = 'copy it, and remove it when all that you need is there';
    throw FileError.refused(`${from.path} is a folder, which is not moved to another machine: ${advice}.`);
  }
  await copy(relocation);
  try {
    await from.files.remove(from.path, { isRecursive: true, isForced: false });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { kind, systemCode, message } = error;
    const outcome = `${from.path} was copied to ${to.path}, but cannot be removed: ${message}`;
    throw new FileError(outcome, { kind, systemCode, cause: error });
  }
}

async function makeRoom({ from, to, overwrite }: Relocation): Promise<void> {
  if ((await findMetadata(to)) === undefined) return;
  if (!overwrite) throw FileError.ofSystem('EEXIST', to.path);
  if (from.files === to.files) await refuseWhatHolds(from, to);
  await to.files.remove(to.path, { isRecursive: true, isForced: true });
}

/** What would be removed must not hold what is to be copied. */
async function refuseWhatHolds(from: FilePlace, to: FilePlace): Promise<void> {
  const [source, replaced] = await Promise.all([from, to].map(({ files, path }) => files.canonicalize(path)));
  if (source === replaced || source?.startsWith(`${replaced}/`) === true) {
    throw FileError.refused(`${to.path} is, or holds, what was to be copied there (${from.path}).`);
  }
}
