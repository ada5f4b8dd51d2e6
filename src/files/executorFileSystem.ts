/**
 * The port to the files of one machine, this one or another. Paths are absolute, in the form of that machine; `.` and `..` in them
 * are taken by their letters, before any link is followed. All methods reject with a `FileError`.
 */
import type { Disposable } from '../base/disposable';
import type { MissingWatchRequest } from './missingWatch';
import type { FileSandbox } from './sandbox/fileSandbox';

export interface FileAccess {
  /** What the operation may reach; `undefined`: all that the machine's user may. */
  readonly sandbox?: FileSandbox | undefined;
}

export interface LinkAccess extends FileAccess {
  /** `false` refuses a path with a symbolic link anywhere in it. Default: `true`. */
  readonly followSymlinks?: boolean | undefined;
}

/** Of what a path leads to. */
export interface FileMetadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  /** Whether the path itself is a link; all else is of its target. */
  readonly isSymlink: boolean;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; 0 where the system does not know. */
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** Of what an entry leads to: one that leads to nothing is left out. */
export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export interface WalkOptions extends FileAccess {
  /** Folders between the root and an entry; 0 for what lies in the root. */
  readonly maxDepth: number;
  /** Folders that are read, the root among them, from 1. */
  readonly maxDirectories: number;
  /** Entries in the result, from 1; never more than `MAX_LISTED_ENTRIES`. */
  readonly maxEntries: number;
  /** Whether links to folders are entries, and are walked too. Links to files never are. */
  readonly followDirectorySymlinks: boolean;
  /** Leaves out folders whose names begin with a dot. Default: `false`. */
  readonly pruneHiddenDirectories?: boolean | undefined;
}

export interface WalkEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

export interface WalkResult {
  /** The upper folders before the lower ones, each in the order of its names. The root is not among them. */
  readonly entries: readonly WalkEntry[];
  /** Folders that could not be read. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** A limit has cut it short. */
  readonly isTruncated: boolean;
}

export interface CreateDirectoryOptions extends LinkAccess {
  /** Makes missing parents too, and is content with a folder that is there. Default: `true`. */
  readonly isRecursive?: boolean | undefined;
}

export interface RemoveOptions extends LinkAccess {
  /** Removes a folder with all that is in it. Default: `true`. */
  readonly isRecursive?: boolean | undefined;
  /** Is content when nothing is there. Default: `true`. */
  readonly isForced?: boolean | undefined;
}

export interface CopyOptions extends FileAccess {
  /** Copies a folder, into one that may be there already. */
  readonly isRecursive: boolean;
}

export type OpenMode = 'read' | 'replace';

export interface FileBlock {
  readonly bytes: Buffer;
  /** There were fewer bytes than asked for: here is the end. */
  readonly isEnd: boolean;
}

/** An open file. The caller owns it, and has to close it. */
export interface ExecutorFile {
  /** `length` is 1 to `MAX_BLOCK_BYTES`. */
  readBlock(offset: number, length: number): Promise<FileBlock>;
  /** Takes 1 to `MAX_BLOCK_BYTES` bytes; what lies between the end so far and `offset` becomes zeros. */
  writeBlock(offset: number, bytes: Buffer): Promise<void>;
  /** Waits for what was begun. Safe to call again. */
  close(): Promise<void>;
}

export interface ExecutorFileSystem {
  /** A whole regular file of up to `MAX_WHOLE_FILE_BYTES`. */
  readFile(path: string, access?: LinkAccess): Promise<Buffer>;
  /** Makes the file, or replaces what it holds; its folder has to be there. Up to `MAX_WHOLE_FILE_BYTES`. */
  writeFile(path: string, bytes: Buffer, access?: LinkAccess): Promise<void>;
  createDirectory(path: string, options?: CreateDirectoryOptions): Promise<void>;
  getMetadata(path: string, access?: LinkAccess): Promise<FileMetadata>;
  /** The same place without links. */
  canonicalize(path: string, access?: FileAccess): Promise<string>;
  /** In no order; of a folder with up to `MAX_LISTED_ENTRIES`. */
  readDirectory(path: string, access?: FileAccess): Promise<readonly DirectoryEntry[]>;
  walk(path: string, options: WalkOptions): Promise<WalkResult>;
  /** Removes a file, a link (not its target), or a folder. */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /** Copies a file with its mode, a link as a link, or a folder. Replaces files. */
  copy(source: string, destination: string, options: CopyOptions): Promise<void>;
  /** `replace` makes the file, or empties it. */
  open(path: string, mode: OpenMode, access?: FileAccess): Promise<ExecutorFile>;
}

/** Files that lie on this machine, and so can be watched by its system. */
export interface WatchableFileSystem extends ExecutorFileSystem {
  /** As of `watchMissing`. */
  watchMissing(request: MissingWatchRequest, onChange: () => void): Promise<Disposable | undefined>;
}
