import { ServerProcess } from '../support/serverProcess.mjs';

/** The newest revision that all pinned peers answer; a server that knows another one says so and goes on. */
const PROTOCOL_VERSION = '2025-06-18';

/** An MCP server on stdio: what all contestants but two have in common. */
export class McpServer {
  constructor({ args, env, surroundings }) {
    this.launch = {
      command: process.execPath,
      args,
      env: { ...surroundings.env, ...env },
      cwd: surroundings.work,
      envelope: { jsonrpc: '2.0' },
    };
  }

  get pid() {
    return this.process.pid;
  }

  async start() {
    this.process = new ServerProcess(this.launch);
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.process.request('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
    this.process.notify('notifications/initialized');
  }

  /** Text blocks joined, structured content, and the size of the reply on the wire. */
  async call(tool, args) {
    const before = this.process.receivedBytes;
    const result = await this.process.request('tools/call', { name: tool, arguments: args });
    const blocks = (result.content ?? []).filter((block) => block.type === 'text');
    return {
      blocks,
      text: blocks.map((block) => block.text).join('\n'),
      structured: result.structuredContent,
      isError: result.isError === true,
      replyBytes: this.process.receivedBytes - before,
    };
  }

  async stop() {
    await this.process?.stop();
  }
}

/** Reads a text block that holds JSON; undefined when it is prose after all. */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
