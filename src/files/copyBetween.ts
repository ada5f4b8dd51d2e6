import { readBlocks, writeBlocks } from './blocks';
import type { ExecutorFileSystem, FileMetadata } from './executorFileSystem';
import { FileError } from './fileError';

/** A place on one machine. */
export interface FilePlace {
  readonly files: ExecutorFileSystem;
  readonly path: string;
}

/**
 * Copies a file, or a folder with all that is in it, to where nothing is yet; in blocks, which pass through this machine. Rights are
 * not copied, links are refused, and those that lead nowhere are not seen. What was copied before an error stays.
 */
export async function copyBetween(from: FilePlace, to: FilePlace): Promise<void> {
  const metadata = await from.files.getMetadata(from.path);
  refuseOthers(from.path, metadata);
  if (metadata.isFile) return copyFile(from, to);
  await to.files.createDirectory(to.path, { isRecursive: false });
  for (const { name } of await from.files.readDirectory(from.path)) {
    await copyBetween(childOf(from, name), childOf(to, name));
  }
}

/** Leads to the `name` in the folder at `place`. */
function childOf({ files, path }: FilePlace, name: string): FilePlace {
  return { files, path: `${path.replace(/\/$/, '')}/${name}` };
}

function refuseOthers(path: string, { isSymlink, isFile, isDirectory }: FileMetadata): void {
  if (isSymlink)
    throw FileError.refused(`${path} is a link, which may lead elsewhere on another machine: it was not copied.`);
  if (!isFile && !isDirectory) throw FileError.refused(`${path} is neither a regular file nor a folder: it was not copied.`);
}

async function copyFile(from: FilePlace, to: FilePlace): Promise<void> {
  const source = await from.files.open(from.path, 'read');
  try {
    const destination = await to.files.open(to.path, 'replace');
    try {
      await writeBlocks(destination, readBlocks(source));
    } finally {
      await destination.close();
    }
  } finally {
    await source.close();
  }
}
