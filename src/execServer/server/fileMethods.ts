/** What a client asks of the files of the machine. */
import type { z } from 'zod';
import type { FileAccess, WatchableFileSystem } from '../../files/executorFileSystem';
import { decodeParams } from '../wire/decode';
import { toRpcError } from '../wire/fileErrors';
import {
  closeParams,
  copyParams,
  createDirectoryParams,
  linkParams,
  openParams,
  placeParams,
  readBlockParams,
  removeParams,
  walkParams,
  watchMissingParams,
  writeBlockParams,
  writeFileParams,
} from '../wire/fileMethods';
import { fromWireSandbox, lacksCwd, type WireFileSandbox } from '../wire/fileSandbox';
import { fromPathUri, toPathUri } from '../wire/pathUri';
import { RpcError } from '../wire/rpcError';
import { base64 } from '../wire/values';
import type { Methods } from './method';
import type { ServerSession } from './serverSession';

interface Answerer<P> {
  (files: WatchableFileSystem, params: P, session: ServerSession): Promise<unknown>;
}

/** Answers with what `answer` resolves with, `{}` for nothing; an error of files with its code. */
function onFiles<P>(name: string, schema: z.ZodType<P>, answer: Answerer<P>): Methods[number] {
  const run = async (session: ServerSession, params: unknown): Promise<unknown> => {
    const files = session.requireFiles(name);
    const decoded = decodeParams(schema, params);
    try {
      return (await answer(files, decoded, session)) ?? {};
    } catch (error) {
      throw toRpcError(error);
    }
  };
  return [name, { run }];
}

export const FILE_METHODS: Methods = [
  onFiles('fs/readFile', linkParams, async (files, { path, ...access }) => {
    const bytes = await files.readFile(pathOf(path), accessOf(access));
    return { dataBase64: bytes.toString('base64') };
  }),
  onFiles('fs/writeFile', writeFileParams, (files, { path, dataBase64, ...access }) => {
    const bytes = base64.safeParse(dataBase64);
    if (!bytes.success) throw RpcError.invalidRequest('dataBase64 is not base64 with padding');
    return files.writeFile(pathOf(path), bytes.data, accessOf(access));
  }),
  onFiles('fs/createDirectory', createDirectoryParams, (files, { path, recursive, ...access }) =>
    files.createDirectory(pathOf(path), { ...accessOf(access), isRecursive: recursive }),
  ),
  onFiles('fs/getMetadata', linkParams, async (files, { path, ...access }) => {
    const { sizeBytes: size, ...metadata } = await files.getMetadata(pathOf(path), accessOf(access));
    return { ...metadata, size };
  }),
  onFiles('fs/canonicalize', placeParams, async (files, { path, ...access }) => ({
    path: toPathUri(await files.canonicalize(pathOf(path), accessOf(access))),
  })),
  onFiles('fs/readDirectory', placeParams, async (files, { path, ...access }) => {
    const entries = await files.readDirectory(pathOf(path), accessOf(access));
    return { entries: entries.map(({ name: fileName, ...entry }) => ({ fileName, ...entry })) };
  }),
  onFiles('fs/walk', walkParams, async (files, { path, options, ...access }) => {
    const found = await files.walk(pathOf(path), { ...options, ...accessOf(access) });
    return {
      entries: found.entries.map((entry) => ({ ...entry, path: toPathUri(entry.path) })),
      errors: found.errors.map((error) => ({ ...error, path: toPathUri(error.path) })),
      truncated: found.isTruncated,
    };
  }),
  onFiles('fs/remove', removeParams, (files, { path, recursive, force, ...access }) =>
    files.remove(pathOf(path), { ...accessOf(access), isRecursive: recursive, isForced: force }),
  ),
  onFiles('fs/copy', copyParams, (files, { sourcePath, destinationPath, recursive, ...access }) =>
    files.copy(pathOf(sourcePath, 'sourcePath'), pathOf(destinationPath, 'destinationPath'), {
      ...accessOf(access),
      isRecursive: recursive,
    }),
  ),
  onFiles('fs/open', openParams, async (files, { handleId, path, mode, ...access }, session) => {
    const place = pathOf(path);
    const checked = accessOf(access);
    await session.openFiles.open(handleId, () => files.open(place, mode ?? 'read', checked));
    return { handleId };
  }),
  onFiles('fs/readBlock', readBlockParams, async (_files, { handleId, offset, len }, session) => {
    const file = await session.openFiles.require(handleId);
    const { bytes, isEnd } = await file.readBlock(offset, len);
    return { chunk: bytes.toString('base64'), eof: isEnd };
  }),
  onFiles('fs/writeBlock', writeBlockParams, async (_files, { handleId, offset, chunk }, session) => {
    const file = await session.openFiles.require(handleId);
    await file.writeBlock(offset, chunk);
  }),
  onFiles('fs/watchMissing', watchMissingParams, async (files, { watchId, missing, present }, session) => {
    const request = {
      missing: missing.map((uri) => pathOf(uri, 'missing')),
      present: present === undefined ? undefined : pathOf(present, 'present'),
    };
    const isWatched = await session.missingWatches.replace(watchId, (onChange) => files.watchMissing(request, onChange));
    return { watching: isWatched };
  }),
  onFiles('fs/close', closeParams, (_files, { handleId }, session) => session.openFiles.close(handleId)),
];

function pathOf(uri: string, name = 'path'): string {
  return fromPathUri(uri, name);
}

interface WireAccess {
  readonly sandbox: WireFileSandbox | undefined;
  readonly followSymlinks?: boolean | undefined;
}

function accessOf({ sandbox: wire, ...rest }: WireAccess): FileAccess {
  const sandbox = fromWireSandbox(wire);
  if (sandbox !== undefined && lacksCwd(sandbox)) {
    throw RpcError.invalidParams('the sandbox names places relative to its cwd, and has no cwd');
  }
  return { sandbox, ...rest };
}
