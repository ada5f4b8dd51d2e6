import { stringify, type TomlTable } from 'smol-toml';
import { type ConfigChange, SERVER_NAME, type ServerEntry } from './configChange';
import { appendTable, isSameToml, readToml } from './tomlFile';

/** Adds a table to a TOML file, at its end. `section` is the name of the table that holds the servers. */
export function changeTomlConfig(text: string, section: string, entry: ServerEntry): ConfigChange {
  const before = readToml(text);
  if (before === undefined) return { kind: 'byHand', reason: 'unreadable' };
  const servers = tableIn(before, section) ?? {};
  const present = servers[SERVER_NAME];
  if (present !== undefined) {
    const isOurs = isSameToml({ ...(present as TomlTable), ...entry }, present);
    return isOurs ? { kind: 'none' } : { kind: 'byHand', reason: 'otherEntry' };
  }
  const changed = appendTable(text, tomlSnippet(section, entry));
  // Not every table can be added to from elsewhere, such as one that was written on one line.
  const expected = { ...before, [section]: { ...servers, [SERVER_NAME]: entry } };
  const isSound = isSameToml(readToml(changed), expected);
  return isSound ? { kind: 'add', text: changed } : { kind: 'byHand', reason: 'unreadable' };
}

/** What stands in the file when there is nothing else in it. */
export function tomlSnippet(section: string, entry: ServerEntry): string {
  return stringify({ [section]: { [SERVER_NAME]: entry } }).trimEnd();
}

function tableIn(table: TomlTable, key: string): TomlTable | undefined {
  const value = table[key];
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) ? value : undefined;
}
