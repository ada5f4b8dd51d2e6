import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { EnvironmentManager, Machine } from '../../environment/environmentManager';
import type { FilePlace } from '../../files/copyBetween';
import type { DirectoryEntry } from '../../files/executorFileSystem';
import { FileError } from '../../files/fileError';
import { EXEC_ENV_SCHEME } from '../contributions';
import { toFileSystemError } from './fileSystemErrors';
import { FileWatch } from './fileWatch';
import { linkNames } from './linkNames';
import { copy, findMetadata, move } from './relocate';
import { requireMachine } from './requireMachine';
import { readWhole, writeWhole } from './wholeFile';

type Overwriting = { readonly overwrite: boolean };

/** The files of all environments, at `exec-env://<id>/path`. Connects where there is no connection. */
export class EnvironmentFileSystem implements vscode.FileSystemProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly fileWatch: FileWatch;

  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly environments: EnvironmentManager) {
    this.fileWatch = this.store.add(new FileWatch(environments, (changes) => this.changed.fire(changes)));
    const options = { isCaseSensitive: true };
    this.store.add(vscode.workspace.registerFileSystemProvider(EXEC_ENV_SCHEME, this, options));
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    return this.fileWatch.watch(uri);
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.at(uri, async (place, machine) => {
      const metadata = await place.files.getMetadata(place.path);
      return {
        type: typeOf(metadata, metadata.isSymlink),
        ctime: metadata.createdAtMs,
        mtime: metadata.modifiedAtMs,
        size: metadata.sizeBytes,
        ...(isReadOnly(machine) && { permissions: vscode.FilePermission.Readonly }),
      };
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.at(uri, async ({ files, path: folder }) => {
      const entries = await files.readDirectory(folder);
      this.fileWatch.noteListing(uri, entries);
      const links = await linkNames(files, folder, entries);
      return entries.map((entry) => [entry.name, typeOf(entry, links.has(entry.name))]);
    });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.at(uri, ({ files, path: file }) => readWhole(files, file));
  }

  /** To look whether the file is there and to write it are two steps: between them it may appear or go. */
  async writeFile(uri: vscode.Uri, content: Uint8Array, options: Overwriting & { readonly create: boolean }): Promise<void> {
    const existed = await this.changing(uri, async (place) => {
      const existing = await findMetadata(place);
      if (existing === undefined && !options.create) throw FileError.ofSystem('ENOENT', place.path);
      if (existing !== undefined && options.create && !options.overwrite) throw FileError.ofSystem('EEXIST', place.path);
      if (existing?.isDirectory === true) throw FileError.ofSystem('EISDIR', place.path);
      await writeWhole(place.files, place.path, Buffer.from(content.buffer, content.byteOffset, content.byteLength));
      return existing !== undefined;
    });
    this.tell([existed ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created, uri]);
  }

  async createDirectory(uri: vscode.Uri): Promise<void> {
    await this.changing(uri, ({ files, path: folder }) => files.createDirectory(folder, { isRecursive: false }));
    this.tell([vscode.FileChangeType.Created, uri]);
  }

  async delete(uri: vscode.Uri, { recursive }: { readonly recursive: boolean }): Promise<void> {
    await this.changing(uri, ({ files, path: doomed }) => files.remove(doomed, { isRecursive: recursive, isForced: false }));
    this.tell([vscode.FileChangeType.Deleted, uri]);
  }

  /** Not in one step: see `move`. */
  async rename(source: vscode.Uri, target: vscode.Uri, { overwrite }: Overwriting): Promise<void> {
    if (source.toString() === target.toString()) return;
    await this.changing(source, (from) => this.changing(target, (to) => move({ from, to, overwrite })));
    this.tell([vscode.FileChangeType.Deleted, source], [vscode.FileChangeType.Created, target]);
  }

  async copy(source: vscode.Uri, target: vscode.Uri, { overwrite }: Overwriting): Promise<void> {
    await this.at(source, (from) => this.changing(target, (to) => copy({ from, to, overwrite })));
    this.tell([vscode.FileChangeType.Created, target]);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** What `run` rejects with is told in the words of VS Code. */
  private async at<T>(uri: vscode.Uri, run: (place: FilePlace, machine: Machine) => Promise<T>): Promise<T> {
    const machine = requireMachine(this.environments, uri);
    try {
      return await run({ files: machine.files, path: path.posix.resolve('/', uri.path) }, machine);
    } catch (error) {
      throw toFileSystemError(error, machine);
    }
  }

  private changing<T>(uri: vscode.Uri, run: (place: FilePlace) => Promise<T>): Promise<T> {
    return this.at(uri, (place, machine) => {
      if (isReadOnly(machine)) throw readOnly(machine);
      return run(place);
    });
  }

  private tell(...changes: (readonly [vscode.FileChangeType, vscode.Uri])[]): void {
    this.changed.fire(changes.map(([type, uri]) => ({ type, uri })));
  }
}

function typeOf({ isFile, isDirectory }: Pick<DirectoryEntry, 'isFile' | 'isDirectory'>, isLink: boolean): vscode.FileType {
  const { Directory, File, SymbolicLink, Unknown } = vscode.FileType;
  let type = isDirectory ? Directory : isFile ? File : Unknown;
  if (isLink) type |= SymbolicLink;
  return type;
}

function isReadOnly(machine: Machine): boolean {
  return machine.kind === 'remote' && machine.configuration.areFilesReadOnly === true;
}

function readOnly({ id, label }: Machine): FileError {
  return FileError.refused(
    vscode.l10n.t(
      'The files of {0} ({1}) are read-only here, by filesReadOnly in the setting execSessions.environments.',
      id,
      label,
    ),
  );
}
