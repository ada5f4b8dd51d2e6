import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Attachment, attachToWindow } from '../../src/attach/attachToWindow';
import { ExecServerRelay } from '../../src/attach/execServerRelay';
import { StreamTransport } from '../../src/execServer/transports/streamTransport';
import type { SessionManager } from '../../src/session/sessionManager';
import { RawClient } from '../execServer/support/rawClient';
import { nullLog } from '../support/nullLog';
import { createManager } from '../support/startSession';
import { startWindow, type Window, windowEnvironment } from '../support/startWindow';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

/** Looks in a row, 10 ms apart, that saw nothing new: what waits for a client waits for ever. */
const STILL_LOOKS = 50;

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = tempDir();
  env = windowEnvironment(path.join(tempDir(), 'run'));
});

/** The events of a program, in the order in which they came. */
function events(client: RawClient, processId: string): string[] {
  const own = client.received.filter(({ params }) => params?.['processId'] === processId);
  return own.map(({ method, params }) => `${String(params!['seq'])} ${method!}`);
}

function attach(): Promise<Attachment> {
  return attachToWindow({ service: 'execServer', cwd: folder, shell: undefined, isRedacting: false, env, log: nullLog });
}

async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer();
  const file = path.join(tempDir(), 's');
  await new Promise<void>((resolve) => server.listen(file, resolve));
  const near = connect(file);
  const [far] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const end of [near, far]) end.destroy();
    server.close();
  });
  return [near, far];
}

/** A client that has introduced itself to the window that is open. */
async function startClient(again: () => Promise<Attachment> = attach): Promise<{ client: RawClient; socket: Socket }> {
  const attached = await attach();
  if (attached.kind !== 'attached') throw new Error(attached.message);
  const [near, far] = await socketPair();
  const relay = new ExecServerRelay({
    client: new StreamTransport('the client', { input: far, output: far }),
    attached,
    attach: again,
    log: nullLog,
  });
  onTestFinished(() => relay.dispose());
  const client = new RawClient(near);
  await client.request('initialize', { clientName: 'test', resumeSessionId: null });
  client.send({ method: 'initialized' });
  return { client, socket: near };
}

const openWindow = (manager: SessionManager = createManager()): Promise<Window> =>
  startWindow({ env, folders: [folder], manager });

it('ends what a window leaves open, with every number of its events, and goes on in the next one as if it knew the client', async () => {
  const { host } = await openWindow();
  const { client } = await startClient();
  await client.start('lost', 'echo begun; sleep 300');
  await client.event('process/output', 'lost');
  const waiting = client.request('process/read', { processId: 'lost', afterSeq: 1, waitMs: 60_000 });

  await host.close();
  const { error } = await waiting;
  const starting = client.start('next', 'echo next');
  const { manager } = await openWindow();
  await starting;
  await client.event('process/closed', 'next');

  expect(error).toEqual({ code: -32603, message: expect.stringContaining('closed or reloaded') });
  expect(events(client, 'lost')).toEqual(['1 process/output', '2 process/output', '3 process/exited', '4 process/closed']);
  expect(client.output('lost')).toMatch(/^begun\n\r\n\[exec-sessions\] The VS Code window .*\r\n$/);
  expect(client.output('next')).toBe('next\n');
  expect(manager.list()).toHaveLength(1);
  // What the relay has asked the next window is nothing to the client.
  expect(client.received.filter(({ id }) => typeof id === 'string')).toEqual([]);
});

it('says nothing more of a program that could not be started, or is over', async () => {
  const { host } = await openWindow();
  const { client } = await startClient();
  await client.request('process/start', { processId: 'none', argv: ['/nothing'], cwd: 'file:///', env: {}, tty: false });
  await client.start('over', 'true');
  await client.event('process/closed', 'over');
  await client.start('runs', 'sleep 300');

  await host.close();
  await client.event('process/closed', 'runs');

  expect([events(client, 'none'), events(client, 'over')]).toEqual([[], ['1 process/exited', '2 process/closed']]);
});

it('answers with the reason while a window lets nobody in, and looks again for the next request', async () => {
  const { host } = await openWindow();
  const answers: Attachment[] = [{ kind: 'refused', message: 'It did not let us in.' }];
  const { client } = await startClient(async () => answers.shift() ?? attach());
  await client.start('runs', 'sleep 300');
  await host.close();
  await client.event('process/closed', 'runs');
  await openWindow();

  const refused = await client.request('environment/status');
  const answered = await client.request('environment/status');

  expect(refused.error?.message).toBe('It did not let us in. Open one, or start Codex again.');
  expect(answered.result).toEqual({ status: 'ready' });
});

it('makes a program wait for a client that does not read, and loses nothing', async () => {
  const { manager } = await openWindow();
  const { client, socket } = await startClient();
  const bytes = 64 * 1_024 * 1_024;
  await client.start('flood', `yes | head -c ${String(bytes)}`);
  socket.pause();
  const [session] = manager.list();
  const seen: number[] = [];
  await until('nothing more comes', () => {
    seen.push(session!.transcript.log.totalBytes + session!.transcript.unfinishedLine.length);
    return seen.length > STILL_LOOKS && seen.at(-1) === seen.at(-STILL_LOOKS);
  });
  const { kind } = session!.state;

  socket.resume();
  await until('it is over', () => events(client, 'flood').at(-1)?.endsWith('process/closed'), 60_000);

  expect([kind, client.output('flood').length]).toEqual(['running', bytes]);
});
