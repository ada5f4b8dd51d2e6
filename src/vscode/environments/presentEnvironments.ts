import { type Disposable, DisposableStore } from '../../base/disposable';
import { EnvironmentFileSystem } from '../files/environmentFileSystem';
import { type EnvironmentTargets, registerEnvironmentCommands } from './environmentCommands';
import { EnvironmentsView } from './environmentsView';
import type { ReachedServers } from '../mcpServers/reachedServers';
import { registerShowMcpServerLog } from '../mcpServers/showMcpServerLog';

export interface PresentedEnvironments extends EnvironmentTargets {
  readonly mcpServers: ReachedServers;
}

/** All that a user sees of the environments and their MCP servers, and does with them. */
export function presentEnvironments({ mcpServers, ...targets }: PresentedEnvironments): Disposable {
  const store = new DisposableStore();
  store.add(new EnvironmentsView(targets, mcpServers.servers));
  store.add(new EnvironmentFileSystem(targets.environments));
  store.add(registerEnvironmentCommands(targets));
  store.add(registerShowMcpServerLog(mcpServers));
  return store;
}
