/** Our client on the real `codex exec-server`: what holds of every backend, but for the differences that are named. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_UNREAD_BYTES } from '../../src/execServer/client/remoteBody';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { RemoteFileSystem } from '../../src/execServer/client/remoteFileSystem';
import { RemoteHttpClient } from '../../src/execServer/client/remoteHttpClient';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { installCodex } from '../bench/contestants/installCodex.mjs';
import { createClient } from '../execServer/support/serverFixture';
import { startFaultyProxy } from '../execServer/support/faultyProxy';
import { describeRequests, responseOf, SENDER_ENV } from '../http/requests';
import { describeFiles } from '../files/anyFileSystem';
import { describeSandbox } from '../files/anySandbox';
import { describePrograms } from '../process/programs';
import { createEnvironments } from '../support/environments';
import { startHttpServer } from '../support/startHttpServer';
import { runProcess, startFailure } from '../support/runProcess';
import { createManager, startSession } from '../support/startSession';
import { codexEnvironment, startCodexServer } from './support/startCodexServer';

let program: string;

async function overWebSocket(): Promise<RemoteBackend> {
  return new RemoteBackend(createClient(webSocketDialer({ url: await startCodexServer() })));
}

async function overStdio(): Promise<RemoteBackend> {
  const argv: [string, ...string[]] = [program, 'exec-server', '--listen', 'stdio'];
  return new RemoteBackend(createClient(programDialer({ argv, env: codexEnvironment() })));
}

async function filesOverWebSocket(): Promise<RemoteFileSystem> {
  return new RemoteFileSystem(createClient(webSocketDialer({ url: await startCodexServer() })));
}

const kills = 'it kills at once';
const noSignal = 'it tells of a signal by an exit code';
const noCancel = 'it cannot be told to stop';
const noInput = 'it takes no input with a start';
const always = {
  'that does "kill -TERM $$" ends with signal SIGTERM': noSignal,
  'that does "kill -9 $$" ends with signal SIGKILL': noSignal,
  'that starts many children leaves none of them when it is terminated': `${kills}, and tells no process ids`,
  'is ended with what it has started in a session of its own': 'it leaves sessions alone that its programs have made',
  'that ignores every polite signal is killed after the grace': kills,
  'waits while its output is not read, and has lost nothing in the end': 'it cannot be told to stop reading',
  'gets the input given to it byte for byte, with the end after it': noInput,
  'may be given a script with every kind of quote': noInput,
  'may be given nothing, or more than the program reads': noInput,
};
const differences = {
  terminal: {
    ...always,
    'gets just the environment that was asked for': 'it adds SHELL',
    'has a controlling terminal of the size that was asked for, and of the new one after a resize': 'it knows one size',
    'takes writes whole and in order, however large, and none after its end': 'it accepts writes after the end',
    'with input given to it still has its terminal': noInput,
  },
  pipes: { ...always, 'with an open input reads what is written, until the input is ended': 'it ends no input' },
};

const fileDifferences = {
  'does not empty a file that is copied onto itself': 'it does',
  'opens only regular files, without waiting for a pipe': 'it tells of a pipe in another way',
};
const weaker = 'it goes by paths, and we go by places';
const slow = 'it starts a program for each request, which takes minutes here';
const sandboxDifferences = {
  'lets no protected place be made that is not there': 'it says that it has made it',
  'denies a file by its other names too': weaker,
  'lets no file be changed that has another name, which may be outside': weaker,
  'protects a place that is a link, and what that leads to': 'it refuses the whole sandbox',
  'gives no rights by a link that lies where anybody may put one': 'it refuses the whole sandbox',
  'takes a root that is a link for the place that it leads to': 'it knows the root only by its link',
  'tells nothing of the programs of the machine': 'it shows those of a namespace of its own',
  'is left neither for reading nor for writing while folders become links': slow,
  'removes nothing outside while what it removes is exchanged for links': slow,
};

describe.skipIf(process.platform !== 'linux')("codex's exec-server", () => {
  beforeAll(async () => {
    program = await installCodex();
  });

  describe('over a websocket', () => {
    describePrograms(overWebSocket, differences);
  });

  describe('with files', () => {
    describeFiles(filesOverWebSocket, fileDifferences);
  });

  describe('with a sandbox around files', () => {
    describeSandbox(filesOverWebSocket, sandboxDifferences);
  });

  describe('over stdio', () => {
    describePrograms(overStdio, differences);
  });

  describe('asked for something over HTTP', () => {
    describeRequests(
      async () => new RemoteHttpClient(createClient(webSocketDialer({ url: await startCodexServer(SENDER_ENV) }))),
      {
        'drops a request that nobody waits for any more': noCancel,
        'drops the rest of a body that nobody wants': noCancel,
        'makes a server wait while nobody reads, and has every byte in the end': 'it cannot be told to wait',
      },
    );
  });

  it('gives up a body that nobody reads before it fills the memory', async () => {
    const server = await startHttpServer();
    const client = new RemoteHttpClient(createClient(webSocketDialer({ url: await startCodexServer() })));

    const url = `${server.origin}/flood/${String(4 * MAX_UNREAD_BYTES)}`;
    const result = await client.request({ method: 'GET', url, headers: [], redirects: 'stop' });
    const { body } = responseOf(result);
    const error = await new Promise<Error>((resolve) => body.once('error', resolve));

    expect(error.message).toContain(`more than ${String(MAX_UNREAD_BYTES)} bytes of the body are unread`);
  });

  it('refuses what our client cannot ask it for, and says why', async () => {
    const failure = await startFailure({ terminal: { cols: 100, rows: 30 } }, await overStdio());

    expect(failure).toMatchObject({ kind: 'hostFailed', message: expect.stringContaining('80 by 24') });
  });

  it('runs sessions with its own variables, folder and shell, and none of ours', async () => {
    const address = {
      kind: 'webSocket',
      url: await startCodexServer(),
      token: undefined,
      connectTimeoutMs: undefined,
    } as const;
    const environments = createEnvironments({
      remotes: [{ id: 'box', label: undefined, address, initializeTimeoutMs: undefined }],
    });
    const manager = createManager({ environments, hostEnv: { PATH: '/nowhere', HERE: 'of the host' } });

    const session = await startSession(manager, 'echo "[$HERE] [$TERM] $CODEX_HOME"; pwd', { environmentId: 'box' });
    await session.waitForEnd(10_000);

    const [variables, folder] = session.recentText(10_000).split('\n');
    expect(variables).toMatch(/^\[\] \[xterm-256color\] \/.*\/home$/);
    expect(folder).toBe(process.cwd());
    expect(session.state).toMatchObject({ reason: 'exited', status: { kind: 'code', code: 0 } });
  });

  it('keeps a program over a dropped connection, whose output then is complete', async () => {
    const proxy = await startFaultyProxy(await startCodexServer(), {
      dropAfter: { method: 'process/output', count: 2 },
      refuseMs: 500,
    });
    const backend = new RemoteBackend(createClient(webSocketDialer({ url: proxy.url })));

    const command = 'for i in 1 2 3 4 5 6 7 8; do echo line$i; sleep 0.1; done; exit 5';
    const ran = await runProcess({ terminal: undefined, command }, backend);
    await ran.closed;

    const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `line${String(number)}\n`).join('');
    expect([ran.output(), ...ran.events]).toEqual([lines, 'exit code 5', 'closed']);
  });
});
