import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { MAX_MESSAGE_BYTES } from './limits';

/**
 * The protocol as lines of JSON, on the two streams of a program or on a socket that is both. Reads once a server connects to it;
 * its owner ends the streams. A message larger than {@link MAX_MESSAGE_BYTES} closes it.
 */
export function createLineTransport(input: Readable, output: Writable): StdioServerTransport {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  // Every reply that finds the pipe full listens for room in it: as many as there are calls, and no leak.
  output.setMaxListeners(0);
  transport.onerror = (error) => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: answerTo(error) })}\n`);
  };
  return transport;
}

/** What is no message has no id to answer to: the answer is an error without one. */
function answerTo(error: Error): { readonly code: number; readonly message: string } {
  return error instanceof SyntaxError
    ? { code: ErrorCode.ParseError, message: 'Parse error: the line is not JSON' }
    : { code: ErrorCode.InvalidRequest, message: 'Invalid request: the line is not a JSON-RPC message' };
}
