import type { EnvironmentConfiguration } from '../environment/environmentConfiguration';
import { findConfiguration, readConfigurationFile } from '../environment/findConfiguration';
import { UsageError } from './usage';

/** The environments of `file`, else those that are found as Codex finds them. Throws a `UsageError` for what is wrong in them. */
export function readEnvironments(file: string | undefined, env: NodeJS.ProcessEnv): EnvironmentConfiguration {
  const configuration = file === undefined ? findConfiguration(env) : readConfigurationFile(file);
  const { problems } = configuration;
  if (problems.length === 0) return configuration;
  throw new UsageError(problems.map((problem) => problem.replace(/\.$/, '')).join('; '));
}
