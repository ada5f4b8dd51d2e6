/** Sessions that outlive the window that started them, with the host as the window starts it. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Memento } from 'vscode';
import { expect, it, onTestFinished } from 'vitest';
import { cliPath } from '../support/builtCli';
import { localEnvironments } from '../support/environments';
import { nullLog } from '../support/nullLog';
import { LocalBackend } from '../../src/process/localBackend';
import type { Session } from '../../src/session/session';
import { SessionManager } from '../../src/session/sessionManager';
import { type LaunchedHost, launchSessionHost } from '../../src/vscode/persistence/launchSessionHost';
import { persistentBackend } from '../../src/vscode/persistence/persistentBackend';
import { restoreSessions } from '../../src/vscode/persistence/restoreSessions';
import { rememberRunning } from '../../src/vscode/persistence/runningSessions';
import { SessionHost } from '../../src/vscode/persistence/sessionHost';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const TERMINAL = { cols: 100, rows: 30 };

interface Window {
  readonly manager: SessionManager;
  readonly host: SessionHost;
  /** Goes away as a window does that is reloaded. */
  close(): Promise<void>;
}

/** The state of a workspace, which outlives its windows. */
function createState(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: (key: string, value: unknown) => {
      values.set(key, JSON.parse(JSON.stringify(value ?? null)) ?? undefined);
      return Promise.resolve();
    },
  } as Memento;
}

function openWindow(state: Memento, isPersistent = true): Window {
  const host = new SessionHost({ state, log: nullLog, launch: () => launchSessionHost(cliPath) });
  const manager = new SessionManager({
    environments: localEnvironments(
      persistentBackend({ local: new LocalBackend(), host, isPersistent: () => isPersistent }),
    ),
    log: nullLog,
    isAttended: true,
    defaultCwd: () => tempDir(),
  });
  const remembering = rememberRunning(manager, state);
  onTestFinished(async () => {
    await Promise.all(manager.list().map((session) => session.terminate('user')));
    const address = hostAddress(state);
    if (address !== undefined && isAlive(address.pid)) process.kill(address.pid, 'SIGTERM');
  });
  return {
    manager,
    host,
    close: async () => {
      remembering.dispose();
      await manager.shutDown();
      host.dispose();
    },
  };
}

async function start({ manager }: Window, command: string, more: object = {}): Promise<Session> {
  const result = await manager.start({ command, isLogin: false, terminal: TERMINAL, startedBy: 'chat', ...more });
  if (result.kind === 'failed') throw new Error(result.failure.message);
  return result.session;
}

function textOf(session: Session): string {
  const reader = session.createReader();
  try {
    return reader.read(10_000).text;
  } finally {
    reader.dispose();
  }
}

async function restore(window: Window, state: Memento): Promise<readonly Session[]> {
  return restoreSessions({ manager: window.manager, host: window.host, state, log: nullLog });
}

it('goes on with a session after a reload, under its id, with what it printed before and meanwhile', async () => {
  const state = createState();
  const before = openWindow(state);
  const file = path.join(tempDir(), 'go');
  const session = await start(
    before,
    `echo "before $ONE"; until [ -e ${file} ]; do sleep 0.05; done; echo meanwhile; read x; echo "got $x"; exit 7`,
    { env: { ONE: 'one' }, title: 'a server' },
  );
  await until('it has printed', () => (textOf(session).includes('before one') ? true : undefined));
  await before.close();
  execFileSync('touch', [file]);

  const after = openWindow(state);
  const [restored] = await restore(after, state);
  await until('it waits for input', () => (restored!.waitingFor === 'input' ? true : undefined));
  const text = textOf(restored!);
  await restored!.write(Buffer.from('it\n'), 'agent');
  await restored!.waitForEnd(10_000);

  expect([restored!.info.id, restored!.info.title, restored!.pid]).toEqual([session.info.id, 'a server', session.pid]);
  expect(text).toBe('before one\nmeanwhile\n');
  expect(textOf(restored!)).toContain('got it\n');
  expect(restored!.state).toMatchObject({ kind: 'ended', reason: 'exited', status: { kind: 'code', code: 7 } });
});

it('tells how a session ended that did so while the window was away', async () => {
  const state = createState();
  const before = openWindow(state);
  const file = path.join(tempDir(), 'done');
  const session = await start(before, `read x < <(sleep 0.5; echo); echo last words; touch ${file}; exit 3`);
  await before.close();
  await until('it has ended', () => (existsSync(file) && !isAlive(session.pid) ? true : undefined));

  const after = openWindow(state);
  const [restored] = await restore(after, state);
  await restored!.waitForEnd(10_000);

  expect(textOf(restored!)).toBe('last words\n');
  expect(restored!.state).toMatchObject({ reason: 'exited', status: { kind: 'code', code: 3 } });
});

it('says of a session that ended with its window that it did, and leaves nothing behind', async () => {
  const state = createState();
  const before = openWindow(state, false);
  const session = await start(before, 'sleep 300');
  await until('it is remembered', () => (state.get<unknown[]>('runningSessions', []).length === 1 ? true : undefined));
  await before.close();

  const after = openWindow(state, false);
  expect(await restore(after, state)).toEqual([]);

  expect(isAlive(session.pid)).toBe(false);
  const found = after.manager.find(session.info.id);
  expect(found.kind === 'found' && found.session.state).toMatchObject({ kind: 'ended', reason: 'windowReloaded' });
  expect(found.kind === 'found' && found.session.info.command).toBe('sleep 300');
});

it('says that sessions are lost, and starts the next in another host, when the host has died', async () => {
  const state = createState();
  const window = openWindow(state);
  const lost = await start(window, 'sleep 300');
  process.kill(hostAddress(state)!.pid, 'SIGKILL');
  await lost.waitForEnd(60_000);

  const next = await start(window, 'echo again');
  await next.waitForEnd(10_000);

  expect(lost.state).toMatchObject({ kind: 'ended', reason: 'hostLost' });
  expect(textOf(next)).toBe('again\n');
});

it('keeps its socket to its user', async () => {
  const state = createState();
  await start(openWindow(state), 'sleep 300');
  const { socket } = hostAddress(state)!;

  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
});

function hostAddress(state: Memento): LaunchedHost | undefined {
  return state.get<LaunchedHost>('sessionHost');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
