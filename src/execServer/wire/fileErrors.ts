/** Errors of files, as they travel: a kind is a code, and what the system calls it is told beside it. */
import { constants } from 'node:os';
import { z } from 'zod';
import { messageOf } from '../../base/messageOf';
import { FileError, type FileErrorKind } from '../../files/fileError';
import { RPC_CODES, RpcError } from './rpcError';

const CODES: Readonly<Record<Exclude<FileErrorKind, 'unreachable'>, number>> = {
  notFound: RPC_CODES.notFound,
  refused: RPC_CODES.invalidRequest,
  badRequest: RPC_CODES.invalidParams,
  failed: RPC_CODES.internal,
  unsupported: RPC_CODES.methodNotFound,
};
const KINDS = new Map(Object.entries(CODES).map(([kind, code]) => [code, kind as keyof typeof CODES]));

/** Ours; others tell only the number, at the end of the message. */
const fileErrorData = z.object({ systemCode: z.string() });
const SYSTEM_NUMBER = /\(os error (\d+)\)$/;

/** For the answer; anything else that was thrown is returned as it is. */
export function toRpcError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  const { kind, message, systemCode } = error;
  if (kind === 'unreachable') return error;
  return new RpcError(CODES[kind], message, systemCode === undefined ? undefined : { systemCode });
}

/** What a call about `path` was answered with, or why it was not answered. */
export function fromRpcError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  if (!(error instanceof RpcError))
    return new FileError(`${path}: ${messageOf(error)}`, { kind: 'unreachable', cause: error });
  const { code, message, data } = error;
  const named = fileErrorData.safeParse(data);
  return new FileError(message.includes(path) ? message : `${path}: ${message}`, {
    kind: KINDS.get(code) ?? 'failed',
    systemCode: named.success ? named.data.systemCode : findSystemCode(message),
    cause: error,
  });
}

/** By the numbers of this system, which are those of the other in all that matters here. */
function findSystemCode(message: string): string | undefined {
  const number = Number(SYSTEM_NUMBER.exec(message)?.[1]);
  return Object.entries(constants.errno).find(([, errno]) => errno === number)?.[0];
}
