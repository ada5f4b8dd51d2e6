import { homedir } from 'node:os';
import * as z from 'zod';
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import type { EnvironmentConfiguration } from './environmentConfiguration';
import { readEntries } from './environmentEntries';
import { commonKeys, type Entry, type EntryResult, NO_ENVIRONMENT_ID, readKeys, seconds } from './environmentEntry';
import { findConfiguration } from './findConfiguration';
import { idOfAuthority } from './idOfAuthority';

const SOURCE = 'the setting execSessions.environments';

const settingEntry = z.strictObject({
  ...commonKeys,
  label: z.string().min(1).optional(),
  command: z.string().min(1).optional(),
  filesReadOnly: z.boolean().optional(),
  tokenFile: z.string().startsWith('/', 'it has to be an absolute path').optional(),
  connectTimeoutSeconds: seconds,
  initializeTimeoutSeconds: seconds,
});

export interface EnvironmentSettings {
  /** The list as somebody wrote it. */
  readonly environments: unknown;
  /** Empty where nobody chose. */
  readonly defaultId: string;
  /** Of the address of the folder that the window is about, where that is in an environment: commands run there unless somebody chose. */
  readonly folderAuthority?: string | undefined;
}

/**
 * The environments that the settings of a window name, with this machine beside them; where they name none, those that Codex has, so
 * that both run commands in the same places.
 */
export function readSettings(settings: EnvironmentSettings, env: NodeJS.ProcessEnv): EnvironmentConfiguration {
  const chosen = settings.defaultId.trim();
  const configuration = readList(settings.environments, env);
  if (chosen !== '') return { ...configuration, defaultId: chosen === NO_ENVIRONMENT_ID ? undefined : chosen };
  const { folderAuthority } = settings;
  if (folderAuthority === undefined) return configuration;
  const ids = [LOCAL_ENVIRONMENT_ID, ...configuration.remotes.map(({ id }) => id)];
  // One that is not there is named all the same: nothing meant for it must run elsewhere.
  return { ...configuration, defaultId: idOfAuthority(folderAuthority, ids) ?? folderAuthority };
}

function readList(environments: unknown, env: NodeJS.ProcessEnv): EnvironmentConfiguration {
  const ours = { remotes: [], includesLocal: true, defaultId: LOCAL_ENVIRONMENT_ID, source: SOURCE };
  if (!Array.isArray(environments)) return { ...ours, defaultId: undefined, problems: [`${SOURCE} is not a list.`] };
  if (environments.length === 0) return findConfiguration(env);
  return { ...ours, ...readEntries(environments, { folder: homedir(), readKeys: readSettingKeys }) };
}

function readSettingKeys(entry: unknown): EntryResult<Entry> {
  const keys = readKeys(settingEntry, entry);
  if (keys.kind === 'wrong') return keys;
  const { tokenFile, connectTimeoutSeconds: connect, initializeTimeoutSeconds: initialize, ...rest } = keys.value;
  const token = tokenFile === undefined ? undefined : { file: tokenFile };
  return { kind: 'read', value: { ...rest, token, connectTimeoutMs: connect, initializeTimeoutMs: initialize } };
}
