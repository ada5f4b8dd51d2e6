/** Programs that a client of the exec-server shares with a person. */
import { expect, it } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import type { ExecServer } from '../../src/execServer/server/execServer';
import { SessionBackend } from '../../src/session/sessionBackend';
import type { Session } from '../../src/session/session';
import { type ObservedProcess, runProcess, type SpecOverrides } from '../support/runProcess';
import { createManager } from '../support/startSession';
import { until } from '../support/until';
import { createClient, createServerUnderTest, dialerTo } from './support/serverFixture';

const NOTICE = /^\r\n\[exec-sessions\] Nothing was sent: (.*)\r\n$/;

interface Shared {
  readonly server: ExecServer;
  readonly ran: ObservedProcess;
  readonly session: Session;
}

async function share(command: string, overrides: SpecOverrides = {}): Promise<Shared> {
  const manager = createManager({ isAttended: true });
  const server = createServerUnderTest({ backend: new SessionBackend(manager) });
  const backend = new RemoteBackend(createClient(await dialerTo(server, 'memory')));
  const ran = await runProcess({ command, ...overrides }, backend);
  const [session] = manager.list();
  return { server, ran, session: session! };
}

it.each([
  ['echo ready; read x', (session: Session) => session.takeOver(), 'taken over this terminal'],
  ['read -s -p "ready" x', () => undefined, 'Only the user types that'],
])('tells a client of "%s" in its output that what it types is not its to type', async (command, act, reason) => {
  const { ran, session } = await share(command);
  await until('it waits', () => ran.output().includes('ready') && session.inputWait().waitingFor !== 'none');
  const before = ran.output();
  act(session);

  const result = await ran.process.write(Buffer.from('abc\n'));
  await until('the client is told', () => ran.output().length > before.length);

  const [, told] = NOTICE.exec(ran.output().slice(before.length))!;
  expect([result, told]).toEqual([{ kind: 'refused', reason: 'noInput' }, expect.stringContaining(reason)]);
  expect([session.state.kind, session.replay().toString()]).toEqual(['running', before]);
});

it('leaves a program to the person who has taken it over, also when its client is gone', async () => {
  const { server, ran, session } = await share('echo ready; read x; echo "got $x"');
  await until('it waits', () => session.inputWait().waitingFor === 'input');
  session.takeOver();

  ran.process.signal('SIGKILL');
  await ran.process.terminate();
  await server.shutDown();
  await session.write(Buffer.from('mine\n'), 'user');
  await session.waitForEnd(20_000);

  expect(session.recentText(1_000)).toContain('got mine\n');
  expect(session.state).toMatchObject({ reason: 'exited', status: { kind: 'code', code: 0 } });
});

it('ends with its client what nobody has taken over, and says who has ended it', async () => {
  const { server, session } = await share('sleep 300');

  await server.shutDown();

  expect(session.state).toMatchObject({ kind: 'ended', reason: 'terminatedByAgent' });
});

it('lets a person type, and the client read what comes of it', async () => {
  const { ran, session } = await share('read x; echo "got $x"');

  await session.write(Buffer.from('mine\n'), 'user');
  await ran.closed;

  expect([ran.output(), ran.events]).toEqual(['mine\r\ngot mine\r\n', ['exit code 0', 'closed']]);
});

it('keeps the keys of a person out of what a client and a program say to each other over pipes', async () => {
  const { ran, session } = await share('cat', { terminal: undefined, stdin: 'open' });

  const typed = await session.write(Buffer.from('x'), 'user');
  await ran.process.write(Buffer.from('{}\n'));
  ran.process.endInput();
  await ran.closed;

  expect([typed, ran.output()]).toEqual([{ kind: 'refused', reason: 'noInput' }, '{}\n']);
});
