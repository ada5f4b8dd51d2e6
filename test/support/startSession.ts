import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { localEnvironments } from './environments';
import { nullLog } from './nullLog';
import type { ExecBackend } from '../../src/process/execProcess';
import { LocalBackend } from '../../src/process/localBackend';
import type { Session } from '../../src/session/session';
import { SessionManager, type SessionManagerOptions } from '../../src/session/sessionManager';
import type { SessionRequest } from '../../src/session/sessionRequest';
import { TERMINAL } from './runProcess';

type ManagerOverrides = Partial<SessionManagerOptions> & {
  /** Runs what is to run on this machine. */
  readonly backend?: ExecBackend;
};

/** A manager of real sessions on this machine, with an empty home folder so that no profile of the developer takes part. */
export function createManager({ backend = new LocalBackend(), ...overrides }: ManagerOverrides = {}): SessionManager {
  const home = mkdtempSync(path.join(tmpdir(), 'exec-sessions-home-'));
  const manager = new SessionManager({
    environments: localEnvironments(backend),
    log: nullLog,
    isAttended: false,
    defaultCwd: () => home,
    hostEnv: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8' },
    ...overrides,
  });
  onTestFinished(async () => {
    await manager.shutDown();
    rmSync(home, { recursive: true, force: true });
  });
  return manager;
}

/** Starts what must start. */
export async function startSession(
  manager: SessionManager,
  command: string,
  rest: Partial<SessionRequest> = {},
): Promise<Session> {
  const start = await manager.start({ command, isLogin: false, terminal: TERMINAL, startedBy: 'chat', ...rest });
  if (start.kind === 'failed') throw new Error(start.failure.message);
  return start.session;
}
