/** Sessions in environments behind real exec-servers, over websockets and the pipes of a program. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RemoteConfiguration } from '../../src/environment/environmentConfiguration';
import type { EnvironmentManager } from '../../src/environment/environmentManager';
import type { ServerEnvironment } from '../../src/environment/serverEnvironment';
import { CapabilityToken } from '../../src/execServer/server/capabilityToken';
import { listenForWebSockets } from '../../src/execServer/server/webSocketListener';
import { LocalBackend } from '../../src/process/localBackend';
import type { Session } from '../../src/session/session';
import { createManager, startSession } from '../support/startSession';
import { createEnvironments, LOCAL_ONLY } from '../support/environments';
import { nullLog } from '../support/nullLog';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { startFaultyProxy } from '../execServer/support/faultyProxy';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';

const EXECUTOR = { PATH: process.env['PATH'], HOME: '/', THERE: 'of the executor', SHARED: 'of the executor' };

function remoteAt(url: string): RemoteConfiguration {
  const address = { kind: 'webSocket', url, token: undefined, connectTimeoutMs: undefined } as const;
  return { id: 'box', label: undefined, address, initializeTimeoutMs: undefined };
}

async function startBox(): Promise<RemoteConfiguration> {
  return remoteAt(await listenOnLoopback(createServerUnderTest({ backend: new LocalBackend(undefined, EXECUTOR) })));
}

async function outputOf(session: Session): Promise<string> {
  expect(await session.waitForEnd(10_000)).toBe('ended');
  return session.recentText(10_000);
}

describe('a session in another environment', () => {
  it('has the variables of the machine that runs it, and none of this one', async () => {
    const environments = createEnvironments({ remotes: [await startBox()] });
    const hostEnv = { PATH: '/nowhere', HERE: 'of the host', SHARED: 'of the host' };
    const manager = createManager({ environments, hostEnv });

    const session = await startSession(manager, 'echo "$HERE|$THERE|$SHARED|$OWN|$PAGER|$TERM"', {
      environmentId: 'box',
      env: { OWN: 'of the call' },
    });

    expect(await outputOf(session)).toBe('|of the executor|of the executor|of the call|cat|xterm-256color\n');
  });

  it('has what the policy leaves of the variables of that machine', async () => {
    const environments = createEnvironments({ remotes: [await startBox()] });
    const environmentPolicy = () => ({
      inherit: 'all' as const,
      ignoreDefaultExcludes: true,
      exclude: ['SHA*'],
      set: { ADDED: 'by the policy' },
      includeOnly: [],
    });
    const manager = createManager({ environments, environmentPolicy });

    const session = await startSession(manager, 'echo "$THERE|$SHARED|$ADDED"', { environmentId: 'box' });

    expect(await outputOf(session)).toBe('of the executor||by the policy\n');
  });

  it('starts in the folder of its server and with the shell there, and says where it runs', async () => {
    const environments = createEnvironments({ remotes: [await startBox()], defaultId: 'box' });
    const manager = createManager({ environments, defaultCwd: () => '/only/here', defaultShell: () => '/only/here/sh' });

    const session = await startSession(manager, 'pwd');
    const below = await startSession(manager, 'pwd', { cwd: 'test' });

    expect(await outputOf(session)).toBe(`${process.cwd()}\n`);
    expect(await outputOf(below)).toBe(`${process.cwd()}/test\n`);
    expect(session.info).toMatchObject({ environment: { id: 'box', label: expect.stringContaining('ws://127.0.0.1') } });
    expect(session.info.shell).not.toContain('/only/here');
  });

  it('is started again in the same one', async () => {
    const environments = createEnvironments({ remotes: [await startBox()] });
    const manager = createManager({ environments });
    const session = await startSession(manager, 'echo "$THERE"', { environmentId: 'box' });
    await outputOf(session);

    const again = await manager.restart(session, 'user');

    expect(again.kind === 'started' && (await outputOf(again.session))).toBe('of the executor\n');
  });
});

describe('the environments', () => {
  it('show their server the token of a file, as it is at each connection', async () => {
    const server = createServerUnderTest();
    const token = CapabilityToken.ofText('the token');
    const listener = await listenForWebSockets({ server, log: nullLog, host: '127.0.0.1', port: 0, token });
    onTestFinished(() => listener.close());
    const file = path.join(tempDir(), 'token');
    const { address, ...box } = remoteAt(listener.url);
    const remotes = [{ ...box, address: { ...address, token: { file } } }] as RemoteConfiguration[];
    const manager = createManager({ environments: createEnvironments({ remotes }) });
    const start = () => manager.start({ command: 'true', terminal: undefined, startedBy: 'chat', environmentId: 'box' });

    const missing = await start();
    writeFileSync(file, 'another token\n');
    const wrong = await start();
    writeFileSync(file, 'the token\n');
    const right = await start();

    expect(missing).toMatchObject({ failure: { message: expect.stringContaining('ENOENT') } });
    expect(wrong).toMatchObject({ failure: { message: expect.stringContaining('refused with status 401') } });
    expect(right.kind).toBe('started');
  });

  it('are not connected with before they are asked for, and again after a loss', async () => {
    const server = createServerUnderTest();
    const proxy = await startFaultyProxy(await listenOnLoopback(server));
    const environments = createEnvironments({ remotes: [remoteAt(proxy.url)] });
    const manager = createManager({ environments });
    const states: string[] = [];
    const stateOf = (): string => {
      const box = environments.list()[1];
      return box?.kind === 'remote' ? box.state.kind : 'none';
    };
    environments.onDidChange(() => states.push(stateOf()));

    expect(stateOf()).toBe('disconnected');
    const first = await startSession(manager, 'echo one', { environmentId: 'box' });
    await outputOf(first);
    proxy.drop();
    await until('the loss is noticed', () => stateOf() === 'disconnected');
    const second = await startSession(manager, 'echo two', { environmentId: 'box' });

    expect(await outputOf(second)).toBe('two\n');
    expect(states).toEqual(['connecting', 'connected', 'disconnected', 'connecting', 'connected']);
  });

  it('refuse an id that there is not, by naming those that there are, and start nothing here', async () => {
    const environments = createEnvironments({ remotes: [remoteAt('ws://127.0.0.1:1')], defaultId: 'gone' });
    const manager = createManager({ environments });

    const started = await Promise.all(
      ['other', undefined].map((environmentId) =>
        manager.start({ command: 'true', terminal: undefined, startedBy: 'chat', environmentId }),
      ),
    );

    const messages = ['other', 'gone'].map(
      (id) => `There is no environment "${id}". The environments are local, box (the test).`,
    );
    expect(started).toEqual(
      messages.map((message) => ({ kind: 'failed', failure: { kind: 'unknownEnvironment', message } })),
    );
    expect(manager.list()).toEqual([]);
  });

  it('say which one cannot be reached, and why', async () => {
    const manager = createManager({ environments: createEnvironments({ remotes: [remoteAt('ws://127.0.0.1:1/secret')] }) });

    const started = await manager.start({ command: 'true', terminal: undefined, startedBy: 'chat', environmentId: 'box' });

    expect(started).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'hostFailed',
        message: expect.stringMatching(/^The environment box \(ws:\/\/127\.0\.0\.1:1\) cannot be reached: .*ECONNREFUSED/),
      },
    });
  });

  it('say what to install where the way there leads to no exec-server', async () => {
    const address = {
      kind: 'shellCommand',
      command: 'no-exec-server-here --listen stdio',
      cwd: undefined,
      env: {},
    } as const;
    const remote = remoteOf(
      createEnvironments({ remotes: [{ id: 'box', label: undefined, address, initializeTimeoutMs: undefined }] }),
    );

    await expect(remote.connect()).rejects.toThrow(
      /^the program ended with exit code 127: .*no-exec-server-here.*not found; .*install it on the other machine/,
    );
    expect(remote.state).toMatchObject({ reason: expect.stringContaining('install it'), isOurs: false });
  });

  it('refuse everything where there is none', async () => {
    const environments = createEnvironments({ includesLocal: false, defaultId: undefined });
    const manager = createManager({ environments });

    const started = await manager.start({ command: 'true', terminal: undefined, startedBy: 'user' });

    expect(started).toMatchObject({
      kind: 'failed',
      failure: { kind: 'noEnvironment', message: 'There is no environment to run anything in, by the test.' },
    });
  });

  it('go on with what runs in one that is no longer configured, and keep one that stays', async () => {
    const [first, second] = [await startBox(), { ...(await startBox()), id: 'stays' }];
    const environments = createEnvironments({ remotes: [first, second] });
    const manager = createManager({ environments });
    const session = await startSession(manager, 'read line; echo "got $line"', { environmentId: 'box' });
    const [, , kept] = environments.list();

    environments.configure({ remotes: [second], includesLocal: true, defaultId: 'local', source: 'the test', problems: [] });
    await session.write(Buffer.from('it\n'), 'user');

    expect(await outputOf(session)).toContain('got it');
    expect(environments.list().map(({ id }) => id)).toEqual(['local', 'stays']);
    expect(environments.list()[1]).toBe(kept);
  });

  it('drop the connection with one that is no longer configured when its last program has ended, not before', async () => {
    const { box, openConnections } = await startCountedBox();
    const environments = createEnvironments({ remotes: [box] });
    const manager = createManager({ environments });
    const sessions = [await startSession(manager, 'read line', { environmentId: 'box' })];
    sessions.push(await startSession(manager, 'read line; echo "got $line"', { environmentId: 'box' }));

    environments.configure(LOCAL_ONLY);
    await sessions[0]!.write(Buffer.from('\n'), 'user');
    await outputOf(sessions[0]!);
    const between = openConnections();
    await sessions[1]!.write(Buffer.from('it\n'), 'user');

    expect(await outputOf(sessions[1]!)).toContain('got it');
    await until('the connection is dropped', () => openConnections() === 0);
    expect(between).toBe(1);
  });

  it('drop the connection at once where nothing runs', async () => {
    const { box, openConnections } = await startCountedBox();
    const environments = createEnvironments({ remotes: [box] });
    await remoteOf(environments).connect();

    environments.configure(LOCAL_ONLY);

    await until('the connection is dropped', () => openConnections() === 0);
  });
});

describe('an environment that is connected and disconnected by hand', () => {
  it('loses what runs there with the reason, and is connected with again by the next program', async () => {
    const { box, openConnections } = await startCountedBox();
    const environments = createEnvironments({ remotes: [box] });
    const manager = createManager({ environments });
    const remote = remoteOf(environments);
    await remote.connect();
    const session = await startSession(manager, 'read line', { environmentId: 'box' });

    remote.disconnect('the user disconnected it');

    expect(remote.state).toEqual({ kind: 'disconnected', reason: 'the user disconnected it', isOurs: true });
    await session.waitForEnd(10_000);
    expect(session.state).toMatchObject({
      reason: 'hostLost',
      status: { message: expect.stringMatching(/^The connection with .* ended \(the user disconnected it\)\.$/) },
    });
    await until('the connection is dropped', () => openConnections() === 0);
    expect(await outputOf(await startSession(manager, 'echo again', { environmentId: 'box' }))).toBe('again\n');
    expect(openConnections()).toBe(1);
  });

  it('can be given up while the connection is made, and tried anew', async () => {
    const silent = createServer(() => undefined);
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const remote = remoteOf(
      createEnvironments({ remotes: [remoteAt(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`)] }),
    );

    const first = remote.connect();
    remote.disconnect('the user disconnected it');
    const second = remote.connect();

    await expect(first).rejects.toThrow('the user disconnected it');
    expect(remote.state.kind).toBe('connecting');
    remote.disconnect('once more');
    await expect(second).rejects.toThrow('once more');
    expect(remote.state).toEqual({ kind: 'disconnected', reason: 'once more', isOurs: true });
  });
});

function remoteOf(environments: EnvironmentManager): ServerEnvironment {
  const remote = environments.list().find(({ kind }) => kind === 'remote');
  if (remote?.kind !== 'remote') throw new Error('There is no remote environment.');
  return remote;
}

/** A box whose server tells how many connections it has. */
async function startCountedBox(): Promise<{ box: RemoteConfiguration; openConnections: () => number }> {
  const proxy = await startFaultyProxy(await listenOnLoopback(createServerUnderTest()));
  return { box: remoteAt(proxy.url), openConnections: proxy.openConnections };
}
