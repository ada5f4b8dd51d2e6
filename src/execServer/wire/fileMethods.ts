/** The file methods of the exec-server protocol, as Codex speaks it. */
import { z } from 'zod';
import { fileSandbox } from './fileSandbox';
import { base64, count, optional } from './values';

/** Announced by a server whose `fs/open` takes a sandbox. */
export const SANDBOXED_STREAMING_CAPABILITY = 'sandboxedFileStreaming';
/** Announced by a server that opens files for writing too. */
export const WRITE_STREAMING_CAPABILITY = 'fileWriteStreaming';

/** Announced by a server that tells when something appears where nothing was. */
export const WATCH_MISSING_CAPABILITY = 'fsWatchMissing';

const path = z.string();
const sandbox = optional(fileSandbox);
const flag = optional(z.boolean());
const place = { path, sandbox };
const placeOfLinks = { ...place, followSymlinks: flag };

export const placeParams = z.object(place);
export const linkParams = z.object(placeOfLinks);
/** Bytes that are no base64 are an invalid request here, unlike elsewhere: told by the method. */
export const writeFileParams = z.object({ ...placeOfLinks, dataBase64: z.string() });
export const createDirectoryParams = z.object({ ...placeOfLinks, recursive: flag });
export const removeParams = z.object({ ...placeOfLinks, recursive: flag, force: flag });
export const copyParams = z.object({ sourcePath: path, destinationPath: path, recursive: z.boolean(), sandbox });
export const walkParams = z.object({
  ...place,
  options: z.object({
    maxDepth: count,
    maxDirectories: count,
    maxEntries: count,
    followDirectorySymlinks: z.boolean(),
    pruneHiddenDirectories: flag,
  }),
});
export const openParams = z.object({ ...place, handleId: z.string(), mode: optional(z.enum(['read', 'replace'])) });
export const readBlockParams = z.object({ handleId: z.string(), offset: count, len: count });
export const writeBlockParams = z.object({ handleId: z.string(), offset: count, chunk: base64 });
export const closeParams = z.object({ handleId: z.string() });

export const watchMissingParams = z.object({ watchId: count, missing: z.array(path), present: optional(path) });

export const readFileResult = z.object({ dataBase64: base64 });
export const metadataResult = z.object({
  isDirectory: z.boolean(),
  isFile: z.boolean(),
  isSymlink: z.boolean(),
  size: z.number(),
  createdAtMs: z.number(),
  modifiedAtMs: z.number(),
});
export const canonicalizeResult = z.object({ path });
export const readDirectoryResult = z.object({
  entries: z.array(z.object({ fileName: z.string(), isDirectory: z.boolean(), isFile: z.boolean() })),
});
export const walkResult = z.object({
  entries: z.array(z.object({ path, kind: z.enum(['file', 'directory']) })),
  errors: z.array(z.object({ path, message: z.string() })),
  truncated: z.boolean(),
});
export const readBlockResult = z.object({ chunk: base64, eof: z.boolean() });

/** Bytes of a handle's id at most. */
export const MAX_HANDLE_ID_BYTES = 32;
