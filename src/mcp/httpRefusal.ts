import type { ServerResponse } from 'node:http';

/** The protocol's code for what is a matter of the server and not of JSON-RPC. */
const SERVER_ERROR_CODE = -32_000;

/** A request that is not handed to the protocol. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  /** JSON-RPC error code. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refuse(response: ServerResponse, { status, message, code = SERVER_ERROR_CODE, headers }: HttpRefusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  // The rest of the request may never be read: the connection is of no further use.
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': length,
    Connection: 'close',
    ...headers,
  });
  response.end(body);
}
