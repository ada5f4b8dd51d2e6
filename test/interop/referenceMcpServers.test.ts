/** The reference servers of the protocol, reached through exec-servers of both makers, with a client of the SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EnvironmentManager } from '../../src/environment/environmentManager';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { callText, ReachableServers } from '../mcpServers/support/reachServer';
import { createEnvironments } from '../support/environments';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { installPackage } from './support/installPackage';
import { startCodexServer } from './support/startCodexServer';

const VERSION = '2026.8.31';
const STEPS = 4;

const executors = {
  ours: () => listenOnLoopback(createServerUnderTest({ http: new LocalHttpClient() })),
  "codex's": () => startCodexServer(),
};
type Executor = keyof typeof executors;

let everything: string;
let filesystem: string;

async function environmentBehind(executor: Executor): Promise<EnvironmentManager> {
  const address = {
    kind: 'webSocket',
    url: await executors[executor](),
    token: undefined,
    connectTimeoutMs: undefined,
  } as const;
  return createEnvironments({ remotes: [{ id: 'box', label: undefined, address, initializeTimeoutMs: undefined }] });
}

const scriptOf = (folder: string): string => path.join(folder, 'dist', 'index.js');

/** How to reach the server `everything` by one of its transports. */
async function wayTo(transport: 'stdio' | 'http'): Promise<Record<string, unknown>> {
  if (transport === 'stdio') return { command: process.execPath, args: [scriptOf(everything), 'stdio'], cwd: '/' };
  const port = String(await freePort());
  const env = { PATH: process.env['PATH'], PORT: port };
  const child = spawn(process.execPath, [scriptOf(everything), 'streamableHttp'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  onTestFinished(() => void child.kill());
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString('utf8')));
  await until('it listens', () => told.includes('listening'));
  return { url: `http://127.0.0.1:${port}/mcp` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

beforeAll(async () => {
  everything = await installPackage('@modelcontextprotocol/server-everything', VERSION);
  filesystem = await installPackage('@modelcontextprotocol/server-filesystem', VERSION);
});

describe.skipIf(process.platform !== 'linux').each(['ours', "codex's"] as const)(
  'through an exec-server of %s',
  (executor) => {
    describe.each(['stdio', 'http'] as const)('the server "everything" over %s', (transport) => {
      const reach = async (): Promise<ReachableServers> =>
        new ReachableServers(await environmentBehind(executor), {
          everything: { ...(await wayTo(transport)), environment: 'box' },
        });

      it('has its tools, resources and prompts used', async () => {
        const client = await (await reach()).connect('everything');

        expect(await callText(client, 'echo', { message: 'grüße' })).toBe('Echo: grüße');
        const [resource] = (await client.listResources()).resources;
        expect((await client.readResource({ uri: resource!.uri })).contents[0]).toMatchObject({ uri: resource!.uri });
        expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
      });

      it('tells of progress', async () => {
        const client = await (await reach()).connect('everything');
        const told: unknown[] = [];

        const call = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: STEPS } };
        await client.callTool(call, undefined, { onprogress: (progress) => told.push([progress.progress, progress.total]) });

        expect(told).toEqual([1, 2, 3, 4].map((progress) => [progress, STEPS]));
      });

      it('is told of a cancellation, and goes on', async () => {
        const client = await (await reach()).connect('everything');
        const controller = new AbortController();

        const call = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 600 } };
        const options = { signal: controller.signal, onprogress: () => controller.abort('enough') };
        await expect(client.callTool(call, undefined, options)).rejects.toThrow('enough');

        expect(await callText(client, 'echo', { message: 'still here' })).toBe('Echo: still here');
      });

      it('asks the client for a completion and for what the user has to say', async () => {
        const client = await (await reach()).connect('everything', { sampling: {}, elicitation: {} });
        client.setRequestHandler(CreateMessageRequestSchema, () => ({
          model: 'none',
          role: 'assistant',
          content: { type: 'text', text: 'forty-two' },
        }));
        client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));

        expect(await callText(client, 'trigger-sampling-request', { prompt: 'how much?' })).toContain('forty-two');
        expect(await callText(client, 'trigger-elicitation-request')).toMatch(/declin/i);
      });
    });

    it('the server "filesystem" reads and writes files there', async () => {
      const folder = tempDir();
      writeFileSync(path.join(folder, 'before'), 'written before');
      const entry = { command: process.execPath, args: [scriptOf(filesystem), folder], cwd: folder, environment: 'box' };
      const client = await new ReachableServers(await environmentBehind(executor), { filesystem: entry }).connect(
        'filesystem',
      );

      const read = await callText(client, 'read_text_file', { path: path.join(folder, 'before') });
      await callText(client, 'write_file', { path: path.join(folder, 'after'), content: 'grüße' });

      expect([read, readFileSync(path.join(folder, 'after'), 'utf8')]).toEqual(['written before', 'grüße']);
    });
  },
);
