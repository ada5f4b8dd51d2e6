/** Environments that are configured outside of the settings of a window: as with Codex, so that one configuration serves both. */
import { readFileSync } from 'node:fs';
import { messageOf } from '../base/messageOf';
import { findCodexSource, URL_VARIABLE } from './codexEnvironment';
import { type EnvironmentConfiguration, LOCAL_ONLY } from './environmentConfiguration';
import { NO_ENVIRONMENT_ID, readEntry } from './environmentEntry';
import { readEnvironmentsToml } from './tomlConfiguration';

/** The id of the environment that the variable names, as with Codex. */
const URL_ENVIRONMENT_ID = 'remote';

/** What Codex's file says, if there is one; else what the variable says; else this machine alone. */
export function findConfiguration(env: NodeJS.ProcessEnv): EnvironmentConfiguration {
  const source = findCodexSource(env);
  switch (source.kind) {
    case 'file':
      return readConfigurationFile(source.file);
    case 'variable':
      return readVariable(source.value);
    case 'nothing':
      return LOCAL_ONLY;
  }
}

/** A file that is not there is a problem too. */
export function readConfigurationFile(file: string): EnvironmentConfiguration {
  try {
    return readEnvironmentsToml(readFileSync(file, 'utf8'), file);
  } catch (error) {
    const problems = [`${file} cannot be read: ${messageOf(error)}.`];
    return { remotes: [], includesLocal: true, defaultId: undefined, source: file, problems };
  }
}

const NOTHING: EnvironmentConfiguration = {
  remotes: [],
  includesLocal: false,
  defaultId: undefined,
  source: URL_VARIABLE,
  problems: [],
};

function readVariable(value: string): EnvironmentConfiguration {
  if (value.toLowerCase() === NO_ENVIRONMENT_ID) return NOTHING;
  const entry = readEntry({ id: URL_ENVIRONMENT_ID, url: value }, { folder: '/', takenIds: new Set() });
  if (entry.kind === 'wrong') return { ...NOTHING, problems: [`${URL_VARIABLE} ${entry.fault}.`] };
  return { ...NOTHING, remotes: [entry.value], defaultId: URL_ENVIRONMENT_ID };
}
