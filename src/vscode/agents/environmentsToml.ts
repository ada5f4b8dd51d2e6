import { stringify, type TomlTable } from 'smol-toml';
import { WINDOW_ENVIRONMENT_ID } from '../../environment/codexEnvironment';
import type { ConfigChange, ServerEntry } from './configChange';
import { endOfLineOf } from './endOfLine';
import { appendTable, isSameToml, readToml } from './tomlFile';

/** `default = "…"` in a line of its own; of the rest of the line, such as a comment, nothing changes. */
const DEFAULT_LINE = /^(default[ \t]*=[ \t]*)(?:"[^"\r\n]*"|'[^'\r\n]*')/m;

export interface EnvironmentChange {
  /** All but its id. */
  readonly entry: ServerEntry;
  /** Whether Codex is to run there what names no environment; else what says so now stays. */
  readonly isDefault: boolean;
}

/** Adds the environment that is a window to a file of the kind of Codex's `environments.toml`. */
export function changeEnvironmentsToml(text: string, { entry, isDefault }: EnvironmentChange): ConfigChange {
  const before = readToml(text);
  const environments = before?.['environments'] ?? [];
  if (before === undefined || !Array.isArray(environments)) return { kind: 'byHand', reason: 'unreadable' };
  const ours = { id: WINDOW_ENVIRONMENT_ID, ...entry };
  const present = environments.find((one) => (one as TomlTable)['id'] === WINDOW_ENVIRONMENT_ID) as TomlTable | undefined;
  if (present !== undefined && !isSameToml({ ...present, ...ours }, present)) {
    return { kind: 'byHand', reason: 'otherEntry' };
  }
  const added = present === undefined ? appendTable(text, environmentSnippet(entry)) : text;
  const changed = isDefault ? withDefault(added, before['default']) : added;
  if (changed === text) return { kind: 'none' };
  const expected = {
    ...before,
    environments: present === undefined ? [...environments, ours] : environments,
    ...(isDefault && { default: WINDOW_ENVIRONMENT_ID }),
  };
  // Not every list can be added to from elsewhere, such as one that was written on one line.
  if (!isSameToml(readToml(changed), expected)) return { kind: 'byHand', reason: 'unreadable' };
  const isOtherDefault = isDefault && before['default'] !== undefined && before['default'] !== WINDOW_ENVIRONMENT_ID;
  return { kind: isOtherDefault ? 'replace' : 'add', text: changed };
}

/** What stands in the file when there is nothing else in it. */
export function environmentsSnippet({ entry, isDefault }: EnvironmentChange): string {
  return isDefault ? `${defaultLine}\n\n${environmentSnippet(entry)}` : environmentSnippet(entry);
}

/** The table of the environment alone, without a line end. */
export function environmentSnippet(entry: ServerEntry): string {
  return stringify({ environments: [{ id: WINDOW_ENVIRONMENT_ID, ...entry }] }).trimEnd();
}

const defaultLine = `default = ${JSON.stringify(WINDOW_ENVIRONMENT_ID)}`;

/** At the top where there is none: behind a table it would be a key of that. */
function withDefault(text: string, present: unknown): string {
  if (present === undefined) return [defaultLine, '', text].join(endOfLineOf(text));
  return text.replace(DEFAULT_LINE, `$1${JSON.stringify(WINDOW_ENVIRONMENT_ID)}`);
}
