/**
 * Connects one client with one MCP server: every message of one goes to the other as it is, but for the name of the server, by which
 * a client tells apart what different machines have. It knows of the protocol only what a message is related to, and what is still to
 * be answered when one of the two goes away.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  ProgressNotificationSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../base/messageOf';
import type { ServerLog } from './serverLog';

export interface McpBridgeOptions {
  /** The way to the server, not started. Rejects with an `Error` that says why there is none. */
  readonly open: () => Promise<Transport>;
  readonly log: ServerLog;
  /** What the server is called in place of what it calls itself: clients make the names of its tools from it. */
  readonly name: string;
  /** Said of it to people, after its own name. */
  readonly place: string;
  /** The server runs, or cannot be had, with the reason. */
  readonly onOpened: (problem: string | undefined) => void;
  /** Told once. `problem`: why it ended, where that was neither the client's wish nor ours. */
  readonly onClosed: (problem: string | undefined) => void;
}

export class McpBridge {
  /** Requests of the client without an answer, the latest last. */
  private readonly pending = new Map<RequestId, JSONRPCRequest>();
  private server: Promise<Transport> | undefined;
  private client: Transport | undefined;
  private problem: string | undefined;
  private isClosed = false;

  constructor(private readonly options: McpBridgeOptions) {}

  /** Serves the client on `client`, not started, for as long as it is open. To be called once. */
  async connect(client: Transport): Promise<void> {
    this.client = client;
    client.onmessage = (message: JSONRPCMessage): void => {
      this.fromClient(message);
    };
    const { onclose } = client;
    client.onclose = () => {
      onclose?.();
      void this.close();
    };
    this.server = this.openServer();
    // Whoever sends something is told.
    this.server.catch(() => undefined);
    await client.start();
  }

  /** Ends the connection with both. What the client waits for is answered with the reason. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const reason = this.problem ?? 'the connection was closed';
    await Promise.all([...this.pending.keys()].map((id) => this.refuse(id, reason)));
    this.pending.clear();
    try {
      await this.client?.close();
      await (await this.server)?.close();
    } catch (error) {
      this.options.log.debug(`closing: ${messageOf(error)}`);
    } finally {
      this.options.onClosed(this.problem);
    }
  }

  private async openServer(): Promise<Transport> {
    const { open, onOpened, log } = this.options;
    try {
      const server = await open();
      server.onmessage = (message: JSONRPCMessage): void => {
        this.fromServer(server, message);
      };
      let lastProblem = 'the server closed the connection';
      server.onerror = (error) => {
        lastProblem = error.message;
        log.debug(lastProblem);
      };
      server.onclose = () => {
        if (this.isClosed) return;
        this.problem = lastProblem;
        log.warn(lastProblem);
        void this.close();
      };
      await server.start();
      onOpened(undefined);
      return server;
    } catch (error) {
      this.problem = messageOf(error);
      log.warn(this.problem);
      onOpened(this.problem);
      throw error;
    }
  }

  private fromClient(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.pending.set(message.id, message);
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (cancelled.success && cancelled.data.params.requestId !== undefined) {
      this.pending.delete(cancelled.data.params.requestId);
    }
    void this.pass(message);
  }

  private async pass(message: JSONRPCMessage): Promise<void> {
    try {
      const server = await this.server;
      await server?.send(message);
    } catch (error) {
      if (isJSONRPCRequest(message)) await this.refuse(message.id, messageOf(error));
      if (!isJSONRPCRequest(message) || !isInitializeRequest(message)) return;
      // A server that could not be had is asked for anew by the next client.
      this.problem = messageOf(error);
      await this.close();
    }
  }

  private fromServer(server: Transport, message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const request = message.id === undefined ? undefined : this.pending.get(message.id);
      if (request === undefined) return;
      this.pending.delete(request.id);
      const isWelcome = isJSONRPCResultResponse(message) && isInitializeRequest(request);
      this.answer(isWelcome ? this.welcome(server, message) : message);
      return;
    }
    this.answer(message, this.relatedRequest(message));
  }

  /** The answer to the first message, with the name of the server that tells where it is. */
  private welcome(server: Transport, message: JSONRPCResultResponse): JSONRPCMessage {
    const parsed = InitializeResultSchema.safeParse(message.result);
    if (!parsed.success) return message;
    const { protocolVersion, serverInfo } = parsed.data;
    server.setProtocolVersion?.(protocolVersion);
    const { name, place } = this.options;
    const title = `${serverInfo.title ?? serverInfo.name} ${place}`;
    return { ...message, result: { ...message.result, serverInfo: { ...serverInfo, name, title } } };
  }

  /**
   * The request in whose course the server says it; over Streamable HTTP it goes the way of the answer to that. Only of progress it
   * is known for sure; all else is taken to belong to the latest.
   */
  private relatedRequest(message: JSONRPCMessage): RequestId | undefined {
    const latest = [...this.pending.keys()].at(-1);
    if (!isJSONRPCNotification(message)) return latest;
    const progress = ProgressNotificationSchema.safeParse(message);
    if (!progress.success) return latest;
    const { progressToken } = progress.data.params;
    const related = [...this.pending.values()].find(({ params }) => params?._meta?.progressToken === progressToken);
    return related?.id;
  }

  private answer(message: JSONRPCMessage, relatedRequestId?: RequestId): void {
    this.client?.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch((error: unknown) => {
      this.options.log.debug(`the client did not take a message: ${messageOf(error)}`);
    });
  }

  private async refuse(id: RequestId, reason: string): Promise<void> {
    if (!this.pending.delete(id)) return;
    const error = { code: ErrorCode.ConnectionClosed, message: reason };
    try {
      await this.client?.send({ jsonrpc: '2.0', id, error });
    } catch {
      // It does not wait any more.
    }
  }
}
