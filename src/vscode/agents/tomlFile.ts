/** TOML files of others, of which nothing but what is added changes. */
import { isDeepStrictEqual } from 'node:util';
import { parse, type TomlTable } from 'smol-toml';
import { endOfLineOf } from './endOfLine';

/** `undefined` for what is no TOML. */
export function readToml(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

export function isSameToml(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Puts a table, which has no line end behind it, after all that there is. */
export function appendTable(text: string, table: string): string {
  const eol = endOfLineOf(text);
  const kept = text === '' || text.endsWith('\n') ? text : text + eol;
  return `${kept}${kept === '' ? '' : eol}${table.replaceAll('\n', eol)}${eol}`;
}

/** Tables as objects without a prototype of their own, to be compared. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
