import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import { nullLog } from './nullLog';
import { createMcpServer, type McpServerOptions } from '../../src/mcp/mcpServer';
import type { SessionReply } from '../../src/mcp/sessionReply';
import type { ListedSession } from '../../src/mcp/tools/listSessions';
import type { SessionManager } from '../../src/session/sessionManager';
import { createManager } from './startSession';
import { until } from './until';

/** What a tool replied, with the parts that tests look at by name. */
export interface ToolReply {
  /** The text blocks, in order. */
  readonly blocks: readonly string[];
  /** The text block with the status line, or the error. */
  readonly status: string;
  /** Addresses of the resources that it names. */
  readonly links: readonly string[];
  readonly isError: boolean;
  /** Of the tools that concern one session; `undefined` for an error. */
  readonly structured: SessionReply;
}

export class ToolClient {
  constructor(readonly client: Client) {}

  async call(name: string, args: Record<string, unknown>, options?: RequestOptions): Promise<ToolReply> {
    const result = await this.client.callTool({ name, arguments: args }, undefined, options);
    const content = result.content as { type: string; text: string; uri: string }[];
    const blocks = content.filter(({ type }) => type === 'text').map(({ text }) => text);
    return {
      blocks,
      status: blocks.at(-1) ?? '',
      links: content.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri),
      isError: result.isError === true,
      structured: result.structuredContent as SessionReply,
    };
  }

  /** Without the user's login profile, which takes time and is its own subject. */
  exec(cmd: string, rest: Record<string, unknown> = {}, options?: RequestOptions): Promise<ToolReply> {
    return this.call('exec_command', { cmd, login: false, ...rest }, options);
  }

  poll(sessionId: number, rest: Record<string, unknown> = {}, options?: RequestOptions): Promise<ToolReply> {
    return this.call('write_stdin', { session_id: sessionId, chars: '', ...rest }, options);
  }

  write(sessionId: number, chars: string, rest: Record<string, unknown> = {}): Promise<ToolReply> {
    return this.call('write_stdin', { session_id: sessionId, chars, ...rest });
  }

  /** Starts a command that goes on, and returns its session when its output has `text` in it. */
  async execUntil(cmd: string, text: string, rest: Record<string, unknown> = {}): Promise<number> {
    const { structured } = await this.exec(cmd, { yield_time_ms: 0, ...rest });
    if (!structured.output.includes(text)) await this.pollUntil(structured.sessionId, text);
    return structured.sessionId;
  }

  /** Polls until `text` has come, and returns all the output that came with it. */
  async pollUntil(sessionId: number, text: string): Promise<string> {
    let output = '';
    return until(`session ${String(sessionId)} prints ${JSON.stringify(text)}`, async () => {
      output += (await this.poll(sessionId, { yield_time_ms: 0 })).structured.output;
      return output.includes(text) && output;
    });
  }

  terminate(sessionId: number): Promise<ToolReply> {
    return this.call('terminate_session', { session_id: sessionId });
  }

  async list(): Promise<ListedSession[]> {
    const { structuredContent } = await this.client.callTool({ name: 'list_sessions' });
    return (structuredContent as { sessions: ListedSession[] }).sessions;
  }
}

/** A client of the official SDK on a server of ours in the same process, with all that it asks for checked by the SDK. */
export async function startClient(
  manager: SessionManager = createManager(),
  options: Partial<McpServerOptions> = {},
): Promise<ToolClient> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ manager, log: nullLog, starter: 'chat', ...options });
  await server.connect(serverEnd);
  return connectClient(clientEnd);
}

/** Connects over a transport; lists the tools, so that the SDK checks every structured reply against its output schema. */
export async function connectClient(transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  await client.listTools();
  return new ToolClient(client);
}
