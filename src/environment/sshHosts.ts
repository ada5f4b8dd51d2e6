/** The hosts that the configuration of `ssh` names, for people to choose from. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The names of `Host` entries without wildcards, in the order of the file and the files that it includes, each once. */
export function listSshHosts(home = homedir()): string[] {
  const folder = path.join(home, '.ssh');
  return [...new Set(hostsIn(path.join(folder, 'config'), { home, folder, seen: new Set() }))];
}

interface Place {
  readonly home: string;
  /** Relative names of included files start here. */
  readonly folder: string;
  /** The files that were read: one may include itself. */
  readonly seen: Set<string>;
}

function hostsIn(file: string, place: Place): string[] {
  if (place.seen.has(file)) return [];
  place.seen.add(file);
  return readLines(file).flatMap((line) => {
    const { keyword, values } = readLine(line);
    if (keyword === 'host') return values.filter((value) => !/[*?!]/.test(value));
    if (keyword !== 'include') return [];
    return values.flatMap((pattern) => expand(pattern, place)).flatMap((included) => hostsIn(included, place));
  });
}

/** None of a file that cannot be read: `ssh` will say so. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** `Host one "two"`, which may as well be written `host = one two`; keywords do not mind upper and lower case. */
function readLine(line: string): { readonly keyword: string; readonly values: readonly string[] } {
  const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
  const words = [...rest.matchAll(/"([^"]*)"|([^\s"#]+)|#.*/g)];
  return { keyword: keyword.toLowerCase(), values: words.flatMap(([, quoted, plain]) => quoted ?? plain ?? []) };
}

/** The files that a pattern names, in order; wildcards in any part of the path. */
function expand(pattern: string, { home, folder }: Place): string[] {
  const absolute = path.resolve(folder, pattern.replace(/^~(?=\/|$)/, home));
  const { root } = path.parse(absolute);
  let found = [root];
  for (const part of absolute.slice(root.length).split(path.sep)) {
    found = found.flatMap((parent) => {
      if (!/[*?]/.test(part)) return [path.join(parent, part)];
      return namesLike(part, parent).map((name) => path.join(parent, name));
    });
  }
  return found;
}

function namesLike(pattern: string, folder: string): string[] {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const matcher = new RegExp(`^${source}$`);
  try {
    const names = readdirSync(folder).filter(
      (name) => matcher.test(name) && (!name.startsWith('.') || pattern.startsWith('.')),
    );
    return names.sort();
  } catch {
    return [];
  }
}
