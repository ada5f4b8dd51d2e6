import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log';

/**
 * Refuses a second `initialize` on a connection: it would change under the client's feet what was agreed. Call it before a
 * server connects to the transport.
 */
export function initializeOnce(transport: Transport, log: Log): void {
  const start = transport.start.bind(transport);
  // A server puts its handler in place and then starts the transport: from here on no message can have passed it.
  transport.start = () => {
    guard(transport, log);
    return start();
  };
}

function guard(transport: Transport, log: Log): void {
  const { onmessage } = transport;
  let isInitialized = false;
  transport.onmessage = (message, extra) => {
    if (!isJSONRPCRequest(message) || !isInitializeRequest(message)) {
      onmessage?.(message, extra);
    } else if (isInitialized) {
      const error = { code: ErrorCode.InvalidRequest, message: 'initialize called more than once' };
      transport.send({ jsonrpc: '2.0', id: message.id, error }).catch((reason: unknown) => {
        log.warn(`a second initialize could not be answered: ${String(reason)}`);
      });
    } else {
      isInitialized = true;
      onmessage?.(message, extra);
    }
  };
}
