import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { LOCAL_ENVIRONMENT } from '../../process/execEnvironment';
import type { SessionInfo } from '../../session/sessionInfo';
import type { SessionManager } from '../../session/sessionManager';
import { onSessionsChange } from '../onSessionsChange';

const STATE_KEY = 'runningSessions';

/** The sessions that ran when the window before this one went away. */
export function runningBefore(state: Memento): readonly SessionInfo[] {
  const kept = state.get<readonly (Omit<SessionInfo, 'environment'> & Partial<SessionInfo>)[]>(STATE_KEY, []);
  // What a version without environments has kept ran on this machine.
  return kept.map((info) => ({ ...info, environment: info.environment ?? LOCAL_ENVIRONMENT }));
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
