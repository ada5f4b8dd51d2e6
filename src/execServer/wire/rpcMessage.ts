import { parseJson } from './jsonText';

export type MessageId = string | number;

export type RpcMessage =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: MessageId; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly id: MessageId;
      readonly code: number;
      readonly message: string;
      readonly data: unknown;
    };

export type ParsedMessage = RpcMessage | { readonly kind: 'malformed'; readonly problem: string };

/** The range of ids: integers of 64 bits with a sign. */
const MAX_ID = 2 ** 63;

/** Reads one message. There is no `jsonrpc` member on this wire; one that is there is ignored, like all that is not known. */
export function parseMessage(text: string): ParsedMessage {
  const parsed = parseJson(text);
  if (parsed.kind === 'malformed') return parsed;
  const { value } = parsed;
  if (!isRecord(value)) return malformed('expected a JSON-RPC object');
  const { id, method, params, trace } = value as { id: unknown; method: unknown; params: unknown; trace: unknown };
  if ('method' in value) {
    if (typeof method !== 'string') return malformed('"method" is not a string');
    if (trace !== undefined && trace !== null && !isRecord(trace)) return malformed('"trace" is not an object');
    if (!('id' in value)) return { kind: 'notification', method, params };
    return isMessageId(id) ? { kind: 'request', id, method, params } : malformed('"id" is neither a string nor an integer');
  }
  if (!isMessageId(id)) return malformed('the message has neither a method nor the id of a request');
  return parseAnswer(value, id);
}

function parseAnswer(value: Record<string, unknown>, id: MessageId): ParsedMessage {
  if ('result' in value) return { kind: 'result', id, result: value['result'] };
  const error = value['error'];
  if (!isRecord(error)) return malformed('the answer has neither a result nor an error');
  const { code, message, data } = error as { code: unknown; message: unknown; data: unknown };
  if (!Number.isInteger(code) || typeof message !== 'string') return malformed('the error lacks its code or message');
  return { kind: 'error', id, code: code as number, message, data };
}

function isMessageId(id: unknown): id is MessageId {
  return typeof id === 'string' || (Number.isInteger(id) && Math.abs(id as number) <= MAX_ID);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(problem: string): ParsedMessage {
  return { kind: 'malformed', problem };
}
