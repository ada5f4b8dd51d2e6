import type { Memento } from 'vscode';
import type { Log } from '../../base/log';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { runningBefore } from './runningSessions';
import type { SessionHost } from './sessionHost';

export interface RestoreOptions {
  readonly manager: SessionManager;
  readonly host: SessionHost;
  /** Of the workspace. */
  readonly state: Memento;
  readonly log: Log;
}

/**
 * Accounts for every session that ran before the window was reloaded: goes on with those whose program runs on in the host, and
 * keeps of the others that they are gone. Returns those that go on.
 */
export async function restoreSessions({ manager, host, state, log }: RestoreOptions): Promise<readonly Session[]> {
  const before = runningBefore(state);
  const restored: Session[] = [];
  for (const { process, note } of await host.takeUp()) {
    const session = note === undefined ? undefined : manager.restore(note, process);
    if (session !== undefined) {
      restored.push(session);
      continue;
    }
    log.warn(
      `a program (pid ${process.pid}) that another version of the extension had started is ended: its record cannot be read`,
    );
    void process.terminate();
  }
  for (const info of before) if (manager.find(info.id).kind === 'unknown') manager.restoreLost(info);
  return restored;
}
