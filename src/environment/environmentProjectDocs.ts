import { findProjectDocs, type ProjectDocs } from '../files/projectDocs';
import type { EnvironmentManager } from './environmentManager';

/** Reads what projects tell agents, where commands run. `fallbackNames` is asked anew each time, see `ProjectDocsOptions`. */
export class EnvironmentProjectDocs {
  constructor(
    private readonly environments: EnvironmentManager,
    private readonly fallbackNames: () => readonly string[] = () => [],
  ) {}

  /**
   * Of the folder `cwd` (absolute); `undefined`: where the server of the environment was started, or this process. Connects where
   * it has to. Rejects with an `Error` that says why nothing can be read.
   */
  async read(environmentId: string, cwd: string | undefined): Promise<ProjectDocs> {
    const environment = this.environments.list().find(({ id }) => id === environmentId);
    if (environment === undefined) throw new Error(`There is no environment ${JSON.stringify(environmentId)}.`);
    const folder = cwd ?? (environment.kind === 'remote' ? (await environment.describe()).cwd : process.cwd());
    return findProjectDocs(environment.files, { cwd: folder, fallbackNames: this.fallbackNames() });
  }
}
