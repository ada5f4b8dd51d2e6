import path from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { messageOf } from '../base/messageOf';
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import { WINDOW_ENVIRONMENT_ID } from './codexEnvironment';
import type { EnvironmentConfiguration } from './environmentConfiguration';
import { readEntries } from './environmentEntries';
import { commonKeys, type Entry, type EntryResult, NO_ENVIRONMENT_ID, readKeys, seconds } from './environmentEntry';

/** The whole file, but for what the entries say. */
const file = z.strictObject({
  default: z.string().optional(),
  include_local: z.boolean().default(true),
  environments: z.array(z.unknown()).default([]),
});

const fileEntry = z.strictObject({
  ...commonKeys,
  auth_bearer_token: z.string().optional(),
  connect_timeout_sec: seconds,
  initialize_timeout_sec: seconds,
  /** What its agents may be shown; nothing to those who only run programs. */
  skills: z.unknown().optional(),
});

/**
 * The environments that a file of the kind of Codex's `environments.toml` names. Of a file that cannot be read as a whole there is
 * only this machine, and that only for who asks for it: nothing meant for another one must run here.
 */
export function readEnvironmentsToml(text: string, filePath: string): EnvironmentConfiguration {
  const read = readFile(text);
  if (read.kind === 'wrong') {
    const problems = [`${filePath} ${read.fault}.`];
    return { remotes: [], includesLocal: true, defaultId: undefined, source: filePath, problems };
  }
  const others = read.value.environments.filter((entry) => !isWindow(entry));
  const includesLocal = read.value.include_local || others.length < read.value.environments.length;
  const named = read.value.default === WINDOW_ENVIRONMENT_ID ? LOCAL_ENVIRONMENT_ID : read.value.default;
  const defaultId = named ?? (read.value.include_local ? LOCAL_ENVIRONMENT_ID : undefined);
  return {
    ...readEntries(others, { folder: path.dirname(filePath), readKeys: readFileKeys }),
    includesLocal,
    defaultId: defaultId === NO_ENVIRONMENT_ID ? undefined : defaultId,
    source: filePath,
  };
}

function readFile(text: string): EntryResult<z.output<typeof file>> {
  try {
    return readKeys(file, parse(text));
  } catch (error) {
    // What follows shows the line itself, which may hold a token.
    const [reason] = messageOf(error).split('\n');
    return { kind: 'wrong', fault: `is no TOML: ${reason ?? ''}` };
  }
}

/** Whether it leads to a window of ours, which would lead a window back to itself. */
function isWindow(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'id' in entry && entry.id === WINDOW_ENVIRONMENT_ID;
}

function readFileKeys(entry: unknown): EntryResult<Entry> {
  const keys = readKeys(fileEntry, entry);
  if (keys.kind === 'wrong') return keys;
  const { auth_bearer_token: text, connect_timeout_sec: connect, initialize_timeout_sec: initialize, ...rest } = keys.value;
  const token = text === undefined ? undefined : { text };
  return { kind: 'read', value: { ...rest, token, connectTimeoutMs: connect, initializeTimeoutMs: initialize } };
}
