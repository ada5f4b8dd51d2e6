import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { SessionInfo } from '../../session/sessionInfo';
import type { SessionManager } from '../../session/sessionManager';
import { onSessionsChange } from '../onSessionsChange';

const STATE_KEY = 'runningSessions';

/** The sessions that ran when the window before this one went away. */
export function runningBefore(state: Memento): readonly SessionInfo[] {
  return state.get<readonly SessionInfo[]>(STATE_KEY, []);
}

/** Keeps in the state of the workspace which sessions run, without what they print and without their variables. */
export function rememberRunning(manager: SessionManager, state: Memento): Disposable {
  let last = JSON.stringify(runningBefore(state));
  return onSessionsChange(manager, () => {
    const infos = manager.list().flatMap((session) => (session.state.kind === 'running' ? [session.info] : []));
    const now = JSON.stringify(infos);
    if (now !== last) void state.update(STATE_KEY, infos);
    last = now;
  });
}
