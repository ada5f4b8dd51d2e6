import type { EnvironmentManager } from '../../environment/environmentManager';
import type { ExecEnvironment } from '../../process/execEnvironment';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import type { EnvironmentUse } from './environmentWords';

export interface Used {
  readonly environments: EnvironmentManager;
  readonly manager: SessionManager;
}

export function useOf(environment: ExecEnvironment, { environments, manager }: Used): EnvironmentUse {
  return {
    isDefault: environment === environments.defaultEnvironment,
    runningCount: sessionsOn(environment, manager).length,
  };
}

/** The sessions that run in an environment. */
export function sessionsOn({ id }: ExecEnvironment, manager: SessionManager): Session[] {
  return manager.list().filter(({ state, info }) => state.kind === 'running' && info.environment.id === id);
}
