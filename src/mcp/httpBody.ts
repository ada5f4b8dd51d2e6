import type { IncomingMessage } from 'node:http';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { HttpRefusal } from './httpRefusal';

export type JsonBody =
  { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'refused'; readonly refusal: HttpRefusal };

/** Reads a body of at most `maxBytes`; no more than that is ever kept. Rejects when the connection breaks. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const tooLarge: JsonBody = {
    kind: 'refused',
    refusal: { status: 413, message: `Payload too large: a message may have at most ${maxBytes} bytes` },
  };
  if (Number(request.headers['content-length']) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  try {
    return { kind: 'read', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch {
    const refusal = { status: 400, code: ErrorCode.ParseError, message: 'Parse error: the body is not JSON' };
    return { kind: 'refused', refusal };
  }
}
