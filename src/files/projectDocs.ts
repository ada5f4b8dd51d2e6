/**
 * What a project tells agents, in `AGENTS.md` and its kin: found and put together as Codex does it, on whatever machine the files
 * are. From the root of the project down to the folder that is worked in, each folder gives one file.
 */
import path from 'node:path';
import type { ExecutorFileSystem } from './executorFileSystem';
import { FileError } from './fileError';

/** In each folder the first of these that is there counts; after them come the fallback names. */
const NAMES = ['AGENTS.override.md', 'AGENTS.md'];
/** Lies in the root of a project: a folder, or in a linked work tree a file. */
const ROOT_MARK = '.git';
/** What all files may have together, as with Codex: about 8,000 tokens of every conversation. */
export const MAX_PROJECT_DOC_BYTES = 32_768;
/** Between the files of a project. */
const BETWEEN_FILES = '\n\n';
/** Between what the user tells all projects and what the project tells. */
export const PROJECT_DOC_SEPARATOR = '\n\n--- project-doc ---\n\n';

export interface ProjectDocs {
  /** The files, from the root of the project down; none where the project tells nothing. */
  readonly paths: readonly string[];
  /** What they say, in this order; empty where they say nothing. */
  readonly text: string;
  /** Bytes of the files that were left out for want of room. */
  readonly omittedBytes: number;
}

export interface ProjectDocsOptions {
  /** Where agents work: absolute. */
  readonly cwd: string;
  /** Names of files that count where a folder has none of the usual ones, such as `CLAUDE.md`. */
  readonly fallbackNames?: readonly string[] | undefined;
}

/** Rejects with what the port rejects with, but for files that are not there or may not be read: those count as none. */
export async function findProjectDocs(files: ExecutorFileSystem, options: ProjectDocsOptions): Promise<ProjectDocs> {
  const folders = await projectFolders(files, options.cwd);
  const names = [...NAMES, ...(options.fallbackNames ?? [])];
  const found = await Promise.all(folders.map((folder) => findDoc(files, folder, names)));
  const paths = found.filter((file) => file !== undefined);
  const contents = await Promise.all(paths.map((file) => ifThere(files.readFile(file))));
  return joinDocs(paths, contents);
}

/** From the root of the project to `cwd`; where nothing marks a root, `cwd` alone. */
async function projectFolders(files: ExecutorFileSystem, cwd: string): Promise<readonly string[]> {
  const paths = pathsLike(cwd);
  const upwards = [cwd];
  for (let folder = cwd; paths.dirname(folder) !== folder; folder = paths.dirname(folder))
    upwards.push(paths.dirname(folder));
  const marks = await Promise.all(upwards.map((folder) => ifThere(files.getMetadata(paths.join(folder, ROOT_MARK)))));
  const root = marks.findIndex((mark) => mark !== undefined);
  return upwards.slice(0, root < 0 ? 1 : root + 1).reverse();
}

async function findDoc(files: ExecutorFileSystem, folder: string, names: readonly string[]): Promise<string | undefined> {
  const candidates = names.map((name) => pathsLike(folder).join(folder, name));
  const metadata = await Promise.all(candidates.map((file) => ifThere(files.getMetadata(file))));
  return candidates.find((_, index) => metadata[index]?.isFile === true);
}

function joinDocs(paths: readonly string[], contents: readonly (Buffer | undefined)[]): ProjectDocs {
  const used: string[] = [];
  const texts: string[] = [];
  let leftBytes = MAX_PROJECT_DOC_BYTES;
  let omittedBytes = 0;
  for (const [index, content = Buffer.alloc(0)] of contents.entries()) {
    if (content.toString('utf8').trim() === '') continue;
    const text = wholeCharacters(content, leftBytes);
    const keptBytes = Buffer.byteLength(text);
    omittedBytes += Math.max(0, content.length - keptBytes);
    // Nothing after a gap: what it says could depend on what is missing.
    leftBytes = keptBytes < content.length ? 0 : leftBytes - keptBytes;
    if (text === '') continue;
    texts.push(text);
    used.push(paths[index] ?? '');
  }
  return { paths: used, text: texts.join(BETWEEN_FILES), omittedBytes };
}

/** The beginning of a text: at most `maxBytes`, without a piece of a character at its end. */
function wholeCharacters(bytes: Buffer, maxBytes: number): string {
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** A machine with drives writes its paths in its own way. */
function pathsLike(folder: string): path.PlatformPath {
  return folder.startsWith('/') ? path.posix : path.win32;
}

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof FileError && (error.kind === 'notFound' || error.kind === 'refused')) return undefined;
    throw error;
  }
}
