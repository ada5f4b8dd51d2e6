/** MCP servers that run in another environment, with a client of the SDK on the host of a window. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EnvironmentManager } from '../../src/environment/environmentManager';
import type { ServerEnvironment } from '../../src/environment/serverEnvironment';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { HttpTransport } from '../../src/mcpServers/httpTransport';
import { ServerLog } from '../../src/mcpServers/serverLog';
import { LocalBackend } from '../../src/process/localBackend';
import { listenOnLoopback, createServerUnderTest } from '../execServer/support/serverFixture';
import { startFaultyProxy } from '../execServer/support/faultyProxy';
import { createEnvironments } from '../support/environments';
import { nullLog } from '../support/nullLog';
import { until } from '../support/until';
import { callText, ReachableServers, startTestServer, stdioEntry } from './support/reachServer';

const EXECUTOR = { PATH: process.env['PATH'], HOME: '/home/there', TOKEN: 'of the executor', OTHER: 'of the executor' };

async function box(): Promise<EnvironmentManager> {
  const backend = new LocalBackend(undefined, EXECUTOR);
  return environmentAt(await listenOnLoopback(createServerUnderTest({ backend, http: new LocalHttpClient(EXECUTOR) })));
}

function environmentAt(url: string): EnvironmentManager {
  const address = { kind: 'webSocket', url, token: undefined, connectTimeoutMs: undefined } as const;
  return createEnvironments({ remotes: [{ id: 'box', label: undefined, address, initializeTimeoutMs: undefined }] });
}

/** Whether programs run in the environment for us. */
function isBusy(environments: EnvironmentManager): boolean {
  const found = environments.find('box') as { environment: ServerEnvironment };
  return found.environment.programCount > 0;
}

describe.each(['stdio', 'http'] as const)('a server over %s in another environment', (kind) => {
  const reach = async (rest: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}): Promise<ReachableServers> => {
    const way = kind === 'stdio' ? stdioEntry : { url: (await startTestServer()).url };
    return new ReachableServers(await box(), { tools: { ...way, environment: 'box', ...rest } }, env);
  };

  it('has its tools called, and names its environment', async () => {
    const reachable = await reach();
    const client = await reachable.connect('tools');

    expect(client.getServerVersion()).toEqual({ name: 'tools-on-box', title: 'test (on box)', version: '1' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    expect(await callText(client, 'echo', { text: 'grüße' })).toBe('grüße');
    expect(reachable.servers.list().map(({ label, state }) => [label, state])).toEqual([
      ['tools (on box)', { kind: 'connected', clients: 1 }],
    ]);
  });

  it('tells of progress, each call of its own', async () => {
    const client = await (await reach()).connect('tools');
    const count = async (to: number): Promise<number[]> => {
      const told: number[] = [];
      const onprogress = ({ progress }: { progress: number }): number => told.push(progress);
      await client.callTool({ name: 'count', arguments: { to } }, undefined, { onprogress });
      return told;
    };

    expect(await Promise.all([count(5), count(3)])).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3],
    ]);
  });

  it('stops what a client has cancelled', async () => {
    const reachable = await reach();
    const client = await reachable.connect('tools');
    const controller = new AbortController();

    const options = { signal: controller.signal, onprogress: () => controller.abort('enough') };
    await expect(client.callTool({ name: 'count', arguments: { to: 10_000 } }, undefined, options)).rejects.toThrow(
      'enough',
    );

    if (kind === 'stdio') await until('it has stopped', () => reachable.log.includes('tools: stderr: stopped at 10000'));
    expect(await callText(client, 'echo', { text: 'still here' })).toBe('still here');
  });

  it('asks the client for what it needs', async () => {
    const client = await (await reach()).connect('tools', { sampling: {} });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'none',
      role: 'assistant',
      content: { type: 'text', text: 'forty-two' },
    }));

    expect(await callText(client, 'ask')).toBe('forty-two');
  });

  it('tells of a change while nobody waits for anything', async () => {
    const client = await (await reach()).connect('tools');
    const changed = new Promise((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, resolve);
    });

    await client.callTool({ name: 'grow' });
    await changed;

    expect(await callText(client, 'grown')).toBe('new');
  });

  it('is still there after the connection with the environment has dropped', async () => {
    const way = kind === 'stdio' ? stdioEntry : { url: (await startTestServer()).url };
    const server = createServerUnderTest({ http: new LocalHttpClient() });
    const proxy = await startFaultyProxy(await listenOnLoopback(server));
    const servers = new ReachableServers(environmentAt(proxy.url), { tools: { ...way, environment: 'box' } });
    const client = await servers.connect('tools');
    const changed = new Promise((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, resolve);
    });

    proxy.drop();

    expect(await callText(client, 'echo', { text: 'still here' })).toBe('still here');
    // What the server says by itself has a stream of its own over HTTP, which is opened again some time later.
    await client.callTool({ name: 'grow', arguments: { afterMs: 1_500 } });
    await changed;
  });

  it('is looked for where its environment leads once that has changed', async () => {
    const reachable = await reach();
    const { environments, servers } = reachable;
    await reachable.connect('tools');

    const { remotes } = (await box()).configuration;
    environments.configure({ ...environments.configuration, remotes });

    await until('the client has to begin anew', () => servers.find('tools')!.state.kind === 'idle');
    expect(await callText(await reachable.connect('tools'), 'echo', { text: 'there' })).toBe('there');
  });

  it('is another one for each client', async () => {
    const reachable = await reach();
    const clients = [await reachable.connect('tools'), await reachable.connect('tools')];

    await clients[0]!.close();

    expect(await callText(clients[1]!, 'echo', { text: 'mine' })).toBe('mine');
  });

  it('is left alone while others change, and ended when it is configured no more', async () => {
    const reachable = await reach();
    const client = await reachable.connect('tools');
    const { entries } = reachable;

    reachable.configure({ ...entries, other: stdioEntry });
    expect(await callText(client, 'echo', { text: 'still here' })).toBe('still here');
    reachable.configure({ other: stdioEntry });
    await until('its program has gone', () => !isBusy(reachable.environments));

    await expect(callText(client, 'echo', { text: 'gone' })).rejects.toThrow();
    expect(reachable.servers.list().map(({ name }) => name)).toEqual(['other']);
  });
});

describe('a server that is started in another environment', () => {
  it('has its folder, and of the variables the usual ones and those that are named for it', async () => {
    const environments = await box();
    const variables = { env: { OWN: 'of the entry' }, env_vars: ['HERE', { name: 'TOKEN', source: 'remote' }] };
    const entry = { ...stdioEntry, cwd: '/usr', environment: 'box', ...variables };
    const client = await new ReachableServers(environments, { tools: entry }, { HERE: 'of the window' }).connect('tools');

    const names = ['OWN', 'HERE', 'TOKEN', 'HOME', 'OTHER'];
    const values = await Promise.all(names.map((name) => callText(client, 'variable', { name })));

    expect([await callText(client, 'folder'), ...values]).toEqual([
      '/usr',
      'of the entry',
      'of the window',
      'of the executor',
      '/home/there',
      'undefined',
    ]);
  });

  it('answers what is waited for with its end, and runs again for the next client', async () => {
    const reachable = new ReachableServers(await box(), { tools: { ...stdioEntry, environment: 'box' } });
    const client = await reachable.connect('tools');

    await expect(client.callTool({ name: 'exit' })).rejects.toThrow('the server ended with exit code 3');
    expect(reachable.servers.find('tools')!.state).toEqual({ kind: 'failed', problem: 'the server ended with exit code 3' });

    expect(await callText(await reachable.connect('tools'), 'echo', { text: 'again' })).toBe('again');
    expect(reachable.log.filter((line) => line === 'tools: stderr: the test server has started')).toHaveLength(2);
  });

  it.each([
    ['without a folder', { ...stdioEntry, cwd: undefined }, 'a server on box needs a cwd'],
    ['in a folder that is not there', { ...stdioEntry, cwd: '/no/such' }, '/no/such'],
    ['by a program that is not there', { ...stdioEntry, command: 'no-such-program' }, 'no-such-program'],
    ['with a variable that is not set', { ...stdioEntry, env_vars: ['NOPE'] }, 'the variable NOPE is not set'],
    ['in an environment that is not there', { ...stdioEntry, environment: 'moon' }, 'There is no environment "moon"'],
  ])('%s is refused with the reason', async (_, entry, reason) => {
    const reachable = new ReachableServers(await box(), { tools: { environment: 'box', ...entry } });

    await expect(reachable.connect('tools')).rejects.toThrow(reason);
    expect(reachable.servers.find('tools')!.state).toEqual({ kind: 'failed', problem: expect.stringContaining(reason) });
  });

  it('is ended with its client', async () => {
    const environments = await box();
    const reachable = new ReachableServers(environments, { tools: { ...stdioEntry, environment: 'box' } });
    const client = await reachable.connect('tools');

    await (client.transport as StreamableHTTPClientTransport).terminateSession();

    await until('nothing of it is left', () => reachable.servers.find('tools')!.state.kind === 'idle');
    await until('its program has gone', () => !isBusy(environments));
  });
});

describe('a server with an address that another environment reaches', () => {
  it('gets headers from variables of the window, and from those of the machine that reaches it', async () => {
    const headers = {
      'x-plain': 'as it is',
      'x-here': { env: 'HERE', prefix: 'Token ' },
      authorization: { env: 'TOKEN', source: 'remote', prefix: 'Bearer ' },
    };
    const { url } = await startTestServer();
    const servers = new ReachableServers(await box(), { tools: { url, headers, environment: 'box' } }, { HERE: 'window' });
    const client = await servers.connect('tools');

    const names = ['x-plain', 'x-here', 'authorization'];
    const values = await Promise.all(names.map((name) => callText(client, 'header', { name })));

    expect(values).toEqual(['as it is', 'Token window', 'Bearer of the executor']);
  });

  it('may forget its session: a new one is begun, of which the client learns nothing', async () => {
    const { url } = await startTestServer();
    const client = await new ReachableServers(await box(), { tools: { url, environment: 'box' } }).connect('tools');

    expect(await callText(client, 'forget')).toBe('forgotten');
    const calls = ['one', 'two', 'three'].map((text) => callText(client, 'echo', { text }));

    expect(await Promise.all(calls)).toEqual(['one', 'two', 'three']);
  });

  it('is told when the client has ended its session', async () => {
    const { url, told } = await startTestServer();
    const client = await new ReachableServers(await box(), { tools: { url, environment: 'box' } }).connect('tools');

    await (client.transport as StreamableHTTPClientTransport).terminateSession();

    await until('it is told', () => told().includes('a session was ended'));
  });

  it('is asked for anew by the next call when it could not be reached', async () => {
    const servers = new ReachableServers(await box(), { tools: { url: 'http://127.0.0.1:1/mcp', environment: 'box' } });

    await expect(servers.connect('tools')).rejects.toThrow('ECONNREFUSED 127.0.0.1:1');
    servers.configure({ tools: { url: (await startTestServer()).url, environment: 'box' } });

    expect(await callText(await servers.connect('tools'), 'echo', { text: 'there' })).toBe('there');
  });

  it('is refused where the environment sends no requests, with the reason', async () => {
    const environments = environmentAt(await listenOnLoopback(createServerUnderTest()));
    const servers = new ReachableServers(environments, { tools: { url: 'http://127.0.0.1:1/mcp', environment: 'box' } });

    await expect(servers.connect('tools')).rejects.toThrow(/the server behind ws:\S+ sends no HTTP requests/);
  });

  it('whose connection breaks before a reply has the call answered', async () => {
    const { url } = await startTestServer();
    const transport = new HttpTransport({
      url: new URL(url),
      http: new LocalHttpClient(),
      headers: [],
      log: new ServerLog(nullLog),
      lostReplyMs: 100,
    });
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(transport);

    await expect(client.callTool({ name: 'break' })).rejects.toThrow('the connection broke before the reply came');
  });
});

it('a server without an environment of its own is where the default is', async () => {
  const environments = await box();
  const { servers } = new ReachableServers(environments, { tools: stdioEntry });
  const told: string[] = [];
  servers.onDidConfigure(() => told.push(servers.find('tools')!.label));

  environments.configure({ ...environments.configuration, defaultId: 'box' });
  environments.configure({ ...environments.configuration, source: 'another file' });

  expect(told).toEqual(['tools (on box)']);
});

it('a client that listens to nothing but the answer to its call is told of progress there', async () => {
  const { url, headers } = await new ReachableServers(await box(), { tools: stdioEntry }).startHost();
  const post = (message: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(url('tools'), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const welcome = await post({ id: 1, method: 'initialize', params });
  const session = { 'mcp-session-id': welcome.headers.get('mcp-session-id')! };
  await post({ method: 'notifications/initialized' }, session);

  const call = { name: 'count', arguments: { to: 3 }, _meta: { progressToken: 'mine' } };
  const told = await (await post({ id: 2, method: 'tools/call', params: call }, session)).text();

  expect([...told.matchAll(/"progress":(\d)|"(result)"/g)].map(([, progress, result]) => progress ?? result)).toEqual([
    '1',
    '2',
    '3',
    'result',
  ]);
});

it('a host knows no server by another name', async () => {
  const { url, headers } = await new ReachableServers(await box(), { tools: stdioEntry }).startHost();

  const answers = await Promise.all([
    fetch(url('other'), { method: 'POST', headers }),
    fetch(url('tools'), { method: 'POST' }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([404, 401]);
});
