/** The numbers of the wire; assigned here and nowhere else. */
export const RPC_CODES = {
  /** No message, a call out of turn, or something that is not known, such as a process or a session. */
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** The machine refused: a program that cannot be started, a file that cannot be read. */
  internal: -32603,
  /** Of files: nothing is there. */
  notFound: -32004,
  sessionAttached: -32010,
} as const;

/** An answer that is an error. The message is for people and models: what was wrong, with the value. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }

  static invalidRequest(message: string): RpcError {
    return new RpcError(RPC_CODES.invalidRequest, message);
  }

  static invalidParams(message: string): RpcError {
    return new RpcError(RPC_CODES.invalidParams, message);
  }

  static methodNotFound(method: string): RpcError {
    return new RpcError(RPC_CODES.methodNotFound, `this exec-server has no method ${JSON.stringify(method)}`);
  }
}

/** Why a call was never answered. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';
}
