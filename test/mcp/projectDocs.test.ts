/** What projects tell agents in AGENTS.md, as a client gets it: from this machine, and from one behind an exec-server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EnvironmentConfiguration, RemoteConfiguration } from '../../src/environment/environmentConfiguration';
import { EnvironmentProjectDocs } from '../../src/environment/environmentProjectDocs';
import type { McpServerOptions } from '../../src/mcp/mcpServer';
import type { SessionManagerOptions } from '../../src/session/sessionManager';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { createEnvironments } from '../support/environments';
import { startClient, type ToolClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';

/** A project with a folder that agents work in. */
let project: string;
let cwd: string;

beforeEach(() => {
  project = tempDir();
  cwd = path.join(project, 'sub');
  mkdirSync(path.join(project, '.git'));
  mkdirSync(cwd);
});

function tell(text: string, folder = project): void {
  writeFileSync(path.join(folder, 'AGENTS.md'), text);
}

async function connect(
  configuration: Partial<EnvironmentConfiguration> = {},
  options: Partial<McpServerOptions> = {},
  sessions: Partial<SessionManagerOptions> = {},
): Promise<ToolClient['client']> {
  const environments = createEnvironments(configuration);
  const manager = createManager({ environments, defaultCwd: () => cwd, ...sessions });
  const projectDocs = new EnvironmentProjectDocs(environments, () => ['CLAUDE.md']);
  return (await startClient(manager, { starter: 'cliAgent', projectDocs, ...options })).client;
}

function remoteAt(url: string): RemoteConfiguration {
  const address = { kind: 'webSocket', url, token: undefined, connectTimeoutMs: undefined } as const;
  return { id: 'box', label: 'the box', address, initializeTimeoutMs: undefined };
}

async function readResource(client: ToolClient['client'], uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
}

async function descriptionOfExec(client: ToolClient['client']): Promise<string> {
  const { tools } = await client.listTools();
  return tools.find(({ name }) => name === 'exec_command')?.description ?? '';
}

describe('a client whose commands run on this machine', () => {
  it('is told with the instructions of the server what the project tells, and by exec_command where it stands', async () => {
    tell('Use tabs.\n');
    writeFileSync(path.join(cwd, 'CLAUDE.md'), 'Use spaces here.\n');

    const client = await connect();

    const files = [path.join(project, 'AGENTS.md'), path.join(cwd, 'CLAUDE.md')].join(', ');
    expect(client.getInstructions()).toContain(`From ${files}:\n\n--- project-doc ---\n\nUse tabs.\n\n\nUse spaces here.\n`);
    expect(client.getInstructions()).toMatch(/^Each exec_command runs in a terminal session of its own/);
    expect(await descriptionOfExec(client)).toContain(`What the project tells agents is in ${files}: heed it.`);
  });

  it('reads the same as a resource, as it is by then, and that of any other folder', async () => {
    tell('before');
    const client = await connect();
    const other = tempDir();
    tell('another project', other);
    tell('after');

    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();

    expect(resources.map(({ uri }) => uri)).toEqual(['project-docs://local']);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['project-docs://{environment}{?cwd}']);
    expect(await readResource(client, 'project-docs://local')).toMatch(/after$/);
    expect(await readResource(client, `project-docs://local?cwd=${encodeURIComponent(other)}`)).toMatch(/another project$/);
  });

  it('is told nothing where the project tells nothing', async () => {
    const client = await connect();

    expect(client.getInstructions()).not.toContain('project');
    expect((await client.listResources()).resources).toEqual([]);
    expect(await descriptionOfExec(client)).not.toContain('AGENTS.md');
    expect(await readResource(client, 'project-docs://local')).toBe('There is no AGENTS.md.');
  });

  it('does not get it twice in the chat of VS Code, which reads the files of its workspace by itself', async () => {
    tell('Use tabs.');
    const client = await connect({}, { starter: 'chat' });

    expect(client.getInstructions()).not.toContain('Use tabs.');
    expect(await readResource(client, 'project-docs://local')).toContain('Use tabs.');
  });

  it('learns how much was left out, and with secrets masked gets none', async () => {
    tell(`token: ghp_${'a1B2'.repeat(9)}\n${'x'.repeat(40_000)}`);
    const client = await connect({}, { isRedacting: () => true });

    expect(client.getInstructions()).toMatch(/x\n\[… \d+ bytes omitted: read the files …\]$/);
    expect(client.getInstructions()).not.toContain('ghp_');
    expect(await readResource(client, 'project-docs://local')).not.toContain('ghp_');
  });

  it('is told which resources there are when it asks for another', async () => {
    const client = await connect();

    await expect(readResource(client, 'project-docs://nowhere')).rejects.toThrow('there is no such resource');
  });
});

describe('a client whose commands run on another machine', () => {
  it('is told what the project there tells, from the files of that machine', async () => {
    const box = remoteAt(await listenOnLoopback(createServerUnderTest()));
    const client = await connect({ remotes: [box], defaultId: 'local' });
    tell('as it is over there');

    const uri = `project-docs://box?cwd=${encodeURIComponent(cwd)}`;

    expect((await client.listResources()).resources.map((one) => one.uri)).toEqual(['project-docs://box']);
    expect(await readResource(client, uri)).toContain('as it is over there');
    expect(await descriptionOfExec(client)).toContain('project-docs://<environment>?cwd=<absolute path>');
  });

  it('is told at once what holds in the folder that the window has open there', async () => {
    const box = remoteAt(await listenOnLoopback(createServerUnderTest()));
    tell('as it is in that folder');

    const client = await connect({ remotes: [box], defaultId: 'box' }, {}, { remoteCwd: () => cwd });

    expect(client.getInstructions()).toContain('as it is in that folder');
    expect(await readResource(client, 'project-docs://box')).toContain('as it is in that folder');
  });

  it('does not wait for a machine that does not answer, and may ask for the resource later', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const box = remoteAt(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`);

    const client = await connect({ remotes: [box], includesLocal: false, defaultId: 'box' });

    expect(client.getInstructions()).not.toContain('project');
    expect((await client.listResources()).resources.map((one) => one.uri)).toEqual(['project-docs://box']);
  });
});
