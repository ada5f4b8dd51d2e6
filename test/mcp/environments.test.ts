/** What an agent is told of other machines, and what it gets from them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RemoteConfiguration } from '../../src/environment/environmentConfiguration';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { createEnvironments } from '../support/environments';
import { createManager } from '../support/startSession';
import { startClient, type ToolClient } from '../support/startClient';
import { tempDir } from '../support/tempDir';

async function startBox(): Promise<RemoteConfiguration> {
  const url = await listenOnLoopback(createServerUnderTest());
  const address = { kind: 'webSocket', url, token: undefined, connectTimeoutMs: undefined } as const;
  return { id: 'box', label: 'the build box', address, initializeTimeoutMs: undefined };
}

async function execTool({
  client,
}: ToolClient): Promise<{ description: string; parameters: Record<string, { description: string }> }> {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'exec_command');
  return {
    description: tool?.description ?? '',
    parameters: tool?.inputSchema.properties as Record<string, { description: string }>,
  };
}

describe('with this machine alone', () => {
  it('the parameter for the environment is not listed, and an unknown one is refused all the same', async () => {
    const client = await startClient();

    const { parameters } = await execTool(client);
    const here = await client.exec('true', { environment_id: 'local' });
    const other = await client.exec('true', { environment_id: 'box' });

    expect(parameters).not.toHaveProperty('environment_id');
    expect(here.structured).toMatchObject({ exitCode: 0 });
    expect(here.structured).not.toHaveProperty('environmentId');
    expect(other).toMatchObject({
      isError: true,
      status: 'The command was not run. There is no environment "box". The environments are local (the test).',
    });
  });
});

describe('with another machine', () => {
  it('the parameter names both, and what holds where', async () => {
    const environments = createEnvironments({ remotes: [await startBox()] });
    const client = await startClient(createManager({ environments, defaultCwd: () => '/here' }));

    const { description, parameters } = await execTool(client);

    expect(parameters['environment_id']?.description).toBe(
      'The machine that runs it: local (this machine), box (the build box). Default: local.',
    );
    expect(parameters['workdir']?.description).toContain(
      "start from /here on this machine, elsewhere the folder of the environment's server",
    );
    expect(description).toContain('Runs a command with /bin/bash');
  });

  it('commands start in the folder that the window has open there', async () => {
    const folder = tempDir();
    mkdirSync(path.join(folder, 'inner'));
    const environments = createEnvironments({ remotes: [await startBox()], defaultId: 'box' });
    const remoteCwd = (id: string): string | undefined => (id === 'box' ? folder : undefined);
    const client = await startClient(createManager({ environments, defaultCwd: () => '/here', remoteCwd }));

    const { parameters } = await execTool(client);
    const there = await client.exec('pwd', { login: false });
    const below = await client.exec('pwd', { login: false, workdir: 'inner' });

    expect(parameters['workdir']?.description).toContain(
      `start from /here on this machine, elsewhere ${folder} on box, else the folder of the environment's server`,
    );
    expect([there.structured.output, below.structured.output]).toEqual([`${folder}\n`, `${folder}/inner\n`]);
  });

  it('replies and lists name the environment of what runs there, and of nothing else', async () => {
    const environments = createEnvironments({ remotes: [await startBox()] });
    const client = await startClient(createManager({ environments }));

    const there = await client.exec('echo hello', { environment_id: 'box' });
    const here = await client.exec('echo hello');

    expect(there.structured).toMatchObject({ environmentId: 'box', output: 'hello\n', exitCode: 0, cwd: process.cwd() });
    expect(there.status).toMatch(/^Session \d+ in environment box ended after /);
    expect(here.structured).not.toHaveProperty('environmentId');
    expect(here.status).toMatch(/^Session \d+ ended after /);
    expect((await client.list()).map(({ environmentId }) => environmentId)).toEqual(['box', undefined]);
  });

  it('a folder of this machine is not looked for there', async () => {
    const environments = createEnvironments({ remotes: [await startBox()], defaultId: 'box' });
    const client = await startClient(createManager({ environments, defaultCwd: () => '/only/here' }));

    const { structured } = await client.exec('pwd', { workdir: 'test' });

    expect(structured.output).toBe(`${process.cwd()}/test\n`);
  });

  it('one has to be named where none is the default', async () => {
    const environments = createEnvironments({ remotes: [await startBox()], includesLocal: false, defaultId: undefined });
    const client = await startClient(createManager({ environments }));

    const { parameters } = await execTool(client);
    const unnamed = await client.exec('true');
    const named = await client.exec('true', { environment_id: 'box' });

    expect(parameters['environment_id']?.description).toContain('There is no default: name one.');
    expect(unnamed).toMatchObject({ isError: true });
    expect(unnamed.status).toContain('No environment is the default; name one. The environments are box');
    expect(named.structured).toMatchObject({ exitCode: 0 });
  });
});

describe('without any environment', () => {
  it('no tool is listed, and a call of one all the same is refused', async () => {
    const environments = createEnvironments({ includesLocal: false, defaultId: undefined });
    const client = await startClient(createManager({ environments }));

    const listed = await client.client.listTools();
    const called = await client.exec('true');
    const asked = await client.call('list_sessions', {});

    expect(listed.tools).toEqual([]);
    for (const reply of [called, asked]) {
      expect(reply).toMatchObject({ isError: true, status: 'There is no environment to run anything in, by the test.' });
    }
  });
});
