import type { ExecutorFile } from '../../files/executorFileSystem';
import { MAX_OPEN_FILES } from '../../files/limits';
import { MAX_HANDLE_ID_BYTES } from '../wire/fileMethods';
import { RPC_CODES, RpcError } from '../wire/rpcError';

interface OpenFile {
  readonly opening: Promise<ExecutorFile>;
  /** The connection on which it was opened has gone: whoever comes after it may use the id anew. */
  isOrphaned: boolean;
}

/** The files that a client has open, by the ids that it chose. They outlive its connection as long as its session does. */
export class OpenFiles {
  private readonly files = new Map<string, OpenFile>();

  /** Resolves when it is open. Throws an `RpcError` for an id that cannot be. */
  async open(handleId: string, open: () => Promise<ExecutorFile>): Promise<void> {
    if (Buffer.byteLength(handleId) > MAX_HANDLE_ID_BYTES) {
      throw RpcError.invalidRequest(
        `a file handle id may have ${MAX_HANDLE_ID_BYTES} bytes, ${JSON.stringify(handleId)} has more`,
      );
    }
    const known = this.files.get(handleId);
    if (known !== undefined && !known.isOrphaned) throw RpcError.invalidRequest(`file handle ${handleId} already exists`);
    if (known !== undefined) await this.close(handleId);
    if (this.files.size >= MAX_OPEN_FILES) {
      throw RpcError.invalidRequest(`at most ${MAX_OPEN_FILES} files may be open at once: close some of them`);
    }
    const file: OpenFile = { opening: open(), isOrphaned: false };
    this.files.set(handleId, file);
    try {
      await file.opening;
    } catch (error) {
      if (this.files.get(handleId) === file) this.files.delete(handleId);
      throw error;
    }
  }

  /** Throws an `RpcError` for an id that is not open (any more). */
  require(handleId: string): Promise<ExecutorFile> {
    const file = this.files.get(handleId);
    if (file !== undefined) return file.opening;
    throw new RpcError(RPC_CODES.notFound, `unknown file handle ${handleId}`);
  }

  /** Resolves when the system has closed it. Does nothing for an id that is not open. */
  async close(handleId: string): Promise<void> {
    const file = this.files.get(handleId);
    this.files.delete(handleId);
    await (await file?.opening.catch(() => undefined))?.close();
  }

  orphanAll(): void {
    for (const file of this.files.values()) file.isOrphaned = true;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.files.keys()].map((handleId) => this.close(handleId)));
  }
}
