import { RpcError } from '../wire/rpcError';
import type { ServerSession } from './serverSession';

/** One method of the server: decodes its parameters and hands them to what the session has. */
export interface Method {
  /** Returns the result or a promise of it. Throws an `RpcError`. */
  run(session: ServerSession, params: unknown): unknown;
}

/** Methods by their names on the wire. */
export type Methods = readonly (readonly [string, Method])[];

/** For methods that take nothing. */
export function withoutParams<T>(params: unknown, result: T): T {
  const isNothing =
    params === undefined ||
    params === null ||
    (typeof params === 'object' && !Array.isArray(params) && Object.keys(params).length === 0);
  if (!isNothing) throw RpcError.invalidParams('this method takes no parameters');
  return result;
}
