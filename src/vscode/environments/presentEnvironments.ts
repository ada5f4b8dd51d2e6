import { type Disposable, DisposableStore } from '../../base/disposable';
import { type EnvironmentTargets, registerEnvironmentCommands } from './environmentCommands';
import { EnvironmentsView } from './environmentsView';

/** All that a user sees of the environments, and does with them. */
export function presentEnvironments(targets: EnvironmentTargets): Disposable {
  const store = new DisposableStore();
  store.add(new EnvironmentsView(targets));
  store.add(registerEnvironmentCommands(targets));
  return store;
}
