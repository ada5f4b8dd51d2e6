/** The real codex with MCP servers that it reaches through our exec-server. */
import { describe, expect, it } from 'vitest';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { LocalBackend } from '../../src/process/localBackend';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { startTestServer, testServerPath } from '../mcpServers/support/reachServer';
import { runCodex } from './support/runCodex';

const EXECUTOR = { PATH: process.env['PATH'], HOME: '/', SECRET: 'of the executor' };

/** What codex adds to a reply, without what differs from run to run. */
const textOf = (reply: string): string => reply.replace(/Wall time: [\d.]+ seconds/, 'Wall time: #');
const replyOf = (text: string): string =>
  JSON.stringify([
    { type: 'input_text', text: 'Wall time: #\nOutput:' },
    { type: 'input_text', text },
  ]);

async function startExecutor(): Promise<string> {
  const backend = new LocalBackend(undefined, EXECUTOR);
  return listenOnLoopback(createServerUnderTest({ backend, http: new LocalHttpClient(EXECUTOR) }));
}

async function callWith(table: string, ...calls: (readonly [string, Record<string, unknown>])[]): Promise<string[]> {
  const steps = calls.map(([call, args]) => ({ call, args, namespace: 'mcp__tools' }));
  const tables = `[mcp_servers.tools]\nenvironment_id = "remote"\nrequired = true\n${table}`;
  const { toolReplies } = await runCodex([...steps, { message: 'done' }], { url: await startExecutor(), tables });
  return toolReplies.map(textOf);
}

describe.skipIf(process.platform !== 'linux')('codex', () => {
  it('starts a server on the machine of the exec-server, and calls its tools', async () => {
    const command = `command = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(testServerPath)}]`;
    const variables = 'env_vars = [{ name = "SECRET", source = "remote" }]';

    const replies = await callWith(
      `${command}\ncwd = "/"\n${variables}\n`,
      ['echo', { text: 'grüße' }],
      ['variable', { name: 'SECRET' }],
    );

    expect(replies).toEqual([replyOf('grüße'), replyOf('of the executor')]);
  });

  it('reaches a server over HTTP from there, with a header that only that machine can fill in', async () => {
    const { url } = await startTestServer();

    const replies = await callWith(
      `url = "${url}"\nbearer_token_env_var = "SECRET"\n`,
      ['echo', { text: 'grüße' }],
      ['header', { name: 'authorization' }],
    );

    expect(replies).toEqual([replyOf('grüße'), replyOf('Bearer of the executor')]);
  });
});
