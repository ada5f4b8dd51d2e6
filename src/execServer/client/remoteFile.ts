import { randomBytes } from 'node:crypto';
import type { ExecutorFile, FileBlock, OpenMode } from '../../files/executorFileSystem';
import { FileError } from '../../files/fileError';
import { decodeResult } from '../wire/decode';
import { fromRpcError } from '../wire/fileErrors';
import { MAX_HANDLE_ID_BYTES, readBlockResult } from '../wire/fileMethods';
import { toPathUri } from '../wire/pathUri';
import type { ExecServerClient } from './execServerClient';

export interface OpenRequest {
  readonly path: string;
  readonly mode: OpenMode;
  /** As it travels. */
  readonly sandbox: unknown;
}

/**
 * A file that an exec-server has open for us. It is asked again for a block after a dropped connection, which a server of ours
 * answers as if nothing had happened; others have closed the file then, and say so.
 */
export class RemoteFile implements ExecutorFile {
  private isOpen = true;

  private constructor(
    private readonly client: ExecServerClient,
    private readonly path: string,
    private readonly handleId: string,
  ) {
    // As long as it is open, there is something to come back for.
    client.register(handleId, {
      onNotification: () => undefined,
      onDidResume: () => undefined,
      onDidLose: () => undefined,
    });
  }

  static async open(client: ExecServerClient, { path, mode, sandbox }: OpenRequest): Promise<RemoteFile> {
    // Another client may have taken the same session up: ids are drawn, not counted.
    const handleId = randomBytes(MAX_HANDLE_ID_BYTES / 2).toString('hex');
    await client.call('fs/open', { handleId, path: toPathUri(path), mode, sandbox });
    return new RemoteFile(client, path, handleId);
  }

  async readBlock(offset: number, length: number): Promise<FileBlock> {
    const answer = await this.call('fs/readBlock', { handleId: this.handleId, offset, len: length });
    const { chunk, eof } = decodeResult(readBlockResult, 'fs/readBlock', answer);
    return { bytes: chunk, isEnd: eof };
  }

  async writeBlock(offset: number, bytes: Buffer): Promise<void> {
    await this.call('fs/writeBlock', { handleId: this.handleId, offset, chunk: bytes.toString('base64') });
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    try {
      await this.call('fs/close', { handleId: this.handleId });
    } finally {
      this.isOpen = false;
      this.client.unregister(this.handleId);
    }
  }

  private async call(method: string, params: unknown): Promise<unknown> {
    if (!this.isOpen) throw FileError.ofSystem('EBADF', this.path, 'since it was closed');
    try {
      return await this.client.callAgain(method, params);
    } catch (error) {
      throw fromRpcError(error, this.path);
    }
  }
}
