/** A client of the SDK on an MCP server of some environment, through the HTTP host of a window. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { createLineLog } from '../../../src/base/log';
import type { EnvironmentManager } from '../../../src/environment/environmentManager';
import { startMcpHttpHost } from '../../../src/mcp/httpHost';
import { McpServers } from '../../../src/mcpServers/mcpServers';
import { readServers } from '../../../src/mcpServers/serverConfiguration';
import { LocalBackend } from '../../../src/process/localBackend';
import { nullLog } from '../../support/nullLog';
import { createManager } from '../../support/startSession';
import { until } from '../../support/until';

export const testServerPath = fileURLToPath(new URL('testServer.mjs', import.meta.url));

/** The test server on standard streams, as somebody would configure it. */
export const stdioEntry = { command: process.execPath, args: [testServerPath], cwd: '/' };

export class ReachableServers {
  readonly log: string[] = [];
  readonly servers: McpServers;

  constructor(
    readonly environments: EnvironmentManager,
    readonly entries: Record<string, unknown>,
    env: NodeJS.ProcessEnv = {},
  ) {
    this.servers = new McpServers({
      environments,
      local: new LocalBackend(),
      env,
      localCwd: () => '/',
      log: createLineLog('error', (line) => this.log.push(line)),
      createLog: (name) => ({
        ...createLineLog('info', (line) => this.log.push(`${name}:${line.replace(/^\S+ \S+/, '')}`)),
        dispose: () => undefined,
      }),
    });
    this.configure(entries);
    onTestFinished(() => this.servers.close());
  }

  configure(configuration: Record<string, unknown>): void {
    this.servers.configure(readServers(configuration, 'the setting'));
  }

  /** The addresses of the servers, and what has to be sent to them. */
  async startHost(): Promise<{ readonly url: (name: string) => URL; readonly headers: Record<string, string> }> {
    const host = await startMcpHttpHost({
      manager: createManager(),
      log: nullLog,
      starter: 'chat',
      mcpServers: this.servers,
    });
    onTestFinished(() => host.close());
    return { url: (name) => new URL(host.urlOf(name)), headers: { Authorization: `Bearer ${host.token}` } };
  }

  async connect(name: string, capabilities: ClientCapabilities = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    onTestFinished(() => client.close());
    const { url, headers } = await this.startHost();
    await client.connect(new StreamableHTTPClientTransport(url(name), { requestInit: { headers } }));
    return client;
  }
}

/** Starts the test server over HTTP on this machine. */
export async function startTestServer(): Promise<{ readonly url: string; readonly told: () => string }> {
  const child = spawn(process.execPath, [testServerPath, 'test', 'http', '0'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  let [printed, told] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString('utf8')));
  return { url: await until('it prints its address', () => /^http:\S+/m.exec(printed)?.[0]), told: () => told };
}

/** The text of a tool's reply. */
export async function callText(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
  return content.map(({ text }) => text).join('\n');
}
