import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { type ConfigChange, SERVER_NAME, type ServerEntry } from './configChange';

/** Adds a table to a TOML file, at its end. `section` is the name of the table that holds the servers. */
export function changeTomlConfig(text: string, section: string, entry: ServerEntry): ConfigChange {
  const before = read(text);
  if (before === undefined) return { kind: 'byHand', reason: 'unreadable' };
  const servers = tableIn(before, section) ?? {};
  const present = servers[SERVER_NAME];
  if (present !== undefined) {
    const isOurs = isDeepStrictEqual({ ...(present as TomlTable), ...entry }, { ...(present as TomlTable) });
    return isOurs ? { kind: 'none' } : { kind: 'byHand', reason: 'otherEntry' };
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = text === '' || text.endsWith('\n') ? text : text + eol;
  const table = `${tomlSnippet(section, entry)}\n`.replaceAll('\n', eol);
  const changed = `${kept}${kept === '' ? '' : eol}${table}`;
  // Not every table can be added to from elsewhere, such as one that was written on one line.
  const expected = { ...before, [section]: { ...servers, [SERVER_NAME]: entry } };
  const isSound = isDeepStrictEqual(plain(read(changed)), plain(expected));
  return isSound ? { kind: 'add', text: changed } : { kind: 'byHand', reason: 'unreadable' };
}

/** What stands in the file when there is nothing else in it. */
export function tomlSnippet(section: string, entry: ServerEntry): string {
  return stringify({ [section]: { [SERVER_NAME]: entry } }).trimEnd();
}

function read(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function tableIn(table: TomlTable, key: string): TomlTable | undefined {
  const value = table[key];
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) ? value : undefined;
}

/** Tables as objects without a prototype of their own, to be compared. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
