import { readBlocks, writeBlocks } from '../../files/blocks';
import type {
  CopyOptions,
  CreateDirectoryOptions,
  DirectoryEntry,
  ExecutorFile,
  ExecutorFileSystem,
  FileAccess,
  FileMetadata,
  LinkAccess,
  OpenMode,
  RemoveOptions,
  WalkOptions,
  WalkResult,
} from '../../files/executorFileSystem';
import { FileError } from '../../files/fileError';
import { MAX_BLOCK_BYTES, MAX_WHOLE_FILE_BYTES } from '../../files/limits';
import { requireAbsolute, tooLarge } from '../../files/pathChecks';
import { decodeResult } from '../wire/decode';
import { fromRpcError } from '../wire/fileErrors';
import {
  canonicalizeResult,
  metadataResult,
  readDirectoryResult,
  readFileResult,
  SANDBOXED_STREAMING_CAPABILITY,
  walkResult,
  WRITE_STREAMING_CAPABILITY,
} from '../wire/fileMethods';
import { toWireSandbox } from '../wire/fileSandbox';
import { fromPathUri, toPathUri } from '../wire/pathUri';
import { ConnectionClosedError } from '../wire/rpcError';
import type { ExecServerClient } from './execServerClient';
import { RemoteFile } from './remoteFile';

/** The files of the machine of an exec-server. Files go in blocks where the server has them, so that none fills a connection. */
export class RemoteFileSystem implements ExecutorFileSystem {
  constructor(private readonly client: ExecServerClient) {}

  async readFile(path: string, access: LinkAccess = {}): Promise<Buffer> {
    if (!(await this.canStream('read', access))) return this.readWhole(path, access);
    let file: ExecutorFile;
    try {
      file = await this.open(path, 'read', access);
    } catch (error) {
      // An older server: it has said that it opens no files.
      if (error instanceof FileError && error.kind === 'unsupported') return this.readWhole(path, access);
      throw error;
    }
    try {
      return await collect(file, path);
    } finally {
      await file.close();
    }
  }

  async writeFile(path: string, bytes: Buffer, access: LinkAccess = {}): Promise<void> {
    if (bytes.length > MAX_WHOLE_FILE_BYTES) throw tooLarge(path, 'written');
    if (bytes.length <= MAX_BLOCK_BYTES || !(await this.canStream('replace', access))) {
      await this.call('fs/writeFile', path, { ...linkMembers(access), dataBase64: bytes.toString('base64') });
      return;
    }
    const file = await this.open(path, 'replace', access);
    try {
      await writeBlocks(file, [bytes]);
    } finally {
      await file.close();
    }
  }

  async createDirectory(path: string, { isRecursive = true, ...access }: CreateDirectoryOptions = {}): Promise<void> {
    await this.call('fs/createDirectory', path, { ...linkMembers(access), recursive: isRecursive });
  }

  async getMetadata(path: string, access: LinkAccess = {}): Promise<FileMetadata> {
    const answer = await this.ask('fs/getMetadata', path, linkMembers(access));
    const { size: sizeBytes, ...metadata } = decodeResult(metadataResult, 'fs/getMetadata', answer);
    return { ...metadata, sizeBytes };
  }

  async canonicalize(path: string, access: FileAccess = {}): Promise<string> {
    const answer = await this.ask('fs/canonicalize', path, linkMembers(access));
    return fromPathUri(decodeResult(canonicalizeResult, 'fs/canonicalize', answer).path, 'path');
  }

  async readDirectory(path: string, access: FileAccess = {}): Promise<readonly DirectoryEntry[]> {
    const answer = await this.ask('fs/readDirectory', path, linkMembers(access));
    const { entries } = decodeResult(readDirectoryResult, 'fs/readDirectory', answer);
    return entries.map(({ fileName: name, ...entry }) => ({ name, ...entry }));
  }

  async walk(path: string, { sandbox, ...options }: WalkOptions): Promise<WalkResult> {
    const answer = await this.ask('fs/walk', path, { options, ...linkMembers({ sandbox }) });
    const { entries, errors, truncated } = decodeResult(walkResult, 'fs/walk', answer);
    return {
      entries: entries.map((entry) => ({ ...entry, path: fromPathUri(entry.path, 'path') })),
      errors: errors.map((error) => ({ ...error, path: fromPathUri(error.path, 'path') })),
      isTruncated: truncated,
    };
  }

  async remove(path: string, { isRecursive = true, isForced = true, ...access }: RemoveOptions = {}): Promise<void> {
    await this.call('fs/remove', path, { ...linkMembers(access), recursive: isRecursive, force: isForced });
  }

  async copy(source: string, destination: string, { isRecursive, sandbox }: CopyOptions): Promise<void> {
    const destinationPath = toPathUri(requireAbsolute(destination));
    const params = { destinationPath, recursive: isRecursive, sandbox: toWireSandbox(sandbox) };
    await this.callWith('fs/copy', source, { sourcePath: toPathUri(requireAbsolute(source)), ...params });
  }

  async open(path: string, mode: OpenMode, access: FileAccess = {}): Promise<ExecutorFile> {
    requireAbsolute(path);
    try {
      return await RemoteFile.open(this.client, { path, mode, sandbox: toWireSandbox(access.sandbox) });
    } catch (error) {
      throw fromRpcError(error, path);
    }
  }

  private async readWhole(path: string, access: LinkAccess): Promise<Buffer> {
    const answer = await this.ask('fs/readFile', path, linkMembers(access));
    return decodeResult(readFileResult, 'fs/readFile', answer).dataBase64;
  }

  /** Whether the server opens files so: it says so itself, but for reading without a sandbox, which it may just try. */
  private async canStream(mode: OpenMode, { sandbox, followSymlinks = true }: LinkAccess): Promise<boolean> {
    if (!followSymlinks) return false;
    const { info } = await this.attached();
    const can = (capability: string): boolean => info?.capabilities?.[capability] === true;
    if (sandbox !== undefined && !can(SANDBOXED_STREAMING_CAPABILITY)) return false;
    return mode === 'read' || can(WRITE_STREAMING_CAPABILITY);
  }

  private async attached(): ReturnType<ExecServerClient['attach']> {
    try {
      return await this.client.attach();
    } catch (error) {
      throw fromRpcError(error, this.client.label);
    }
  }

  /** For what changes nothing: asked once more if the connection drops before the answer. */
  private async ask(method: string, path: string, params: object): Promise<unknown> {
    try {
      return await this.call(method, path, params);
    } catch (error) {
      if (!(error instanceof FileError && error.cause instanceof ConnectionClosedError)) throw error;
      return this.call(method, path, params);
    }
  }

  private call(method: string, path: string, params: object): Promise<unknown> {
    return this.callWith(method, path, { path: toPathUri(requireAbsolute(path)), ...params });
  }

  private async callWith(method: string, path: string, params: object): Promise<unknown> {
    try {
      return await this.client.call(method, params);
    } catch (error) {
      throw fromRpcError(error, path);
    }
  }
}

/** Of every request; what is not given is left out, for servers that do not know it. */
function linkMembers({ sandbox, followSymlinks }: LinkAccess): object {
  return { sandbox: toWireSandbox(sandbox), ...(followSymlinks !== undefined && { followSymlinks }) };
}

async function collect(file: ExecutorFile, path: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of readBlocks(file)) {
    bytes += block.length;
    if (bytes > MAX_WHOLE_FILE_BYTES) throw tooLarge(path, 'read');
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}
