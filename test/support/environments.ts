import { onTestFinished } from 'vitest';
import { nullLog } from './nullLog';
import type { EnvironmentConfiguration } from '../../src/environment/environmentConfiguration';
import { EnvironmentManager, type EnvironmentManagerOptions } from '../../src/environment/environmentManager';
import { createServerEnvironment } from '../../src/environment/serverEnvironment';
import type { ExecBackend } from '../../src/process/execProcess';
import { LocalBackend } from '../../src/process/localBackend';

/** This machine alone. */
export const LOCAL_ONLY: EnvironmentConfiguration = {
  remotes: [],
  includesLocal: true,
  defaultId: 'local',
  source: 'the test',
  problems: [],
};

/** This machine alone, where `backend` runs programs. */
export function localEnvironments(backend: ExecBackend): EnvironmentManager {
  return new EnvironmentManager({ local: backend, log: nullLog, configuration: LOCAL_ONLY, createRemote: undefined });
}

/** Environments whose connections are dropped when the running test has finished. */
export function createEnvironments(
  configuration: Partial<EnvironmentConfiguration>,
  options: Partial<EnvironmentManagerOptions> = {},
): EnvironmentManager {
  const manager = new EnvironmentManager({
    local: new LocalBackend(),
    log: nullLog,
    configuration: { ...LOCAL_ONLY, ...configuration },
    createRemote: createServerEnvironment,
    ...options,
  });
  onTestFinished(() => {
    manager.dispose();
  });
  return manager;
}
