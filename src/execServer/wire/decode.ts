import type { z } from 'zod';
import { RpcError } from './rpcError';

/** What a request was given. Throws invalid params that name the parameter. */
export function decodeParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw RpcError.invalidParams(describe(parsed.error));
}

/** What a server answered or told. Throws an invalid request that names what is wrong with it. */
export function decodeResult<T>(schema: z.ZodType<T>, method: string, result: unknown): T {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw RpcError.invalidRequest(`what came for ${method} is not as agreed: ${describe(parsed.error)}`);
}

function describe({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is wrong';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
