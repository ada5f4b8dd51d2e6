import { FileError } from '../fileError';

/** What a pattern may hold between two slashes, as a regular expression. */
const PARTS: readonly (readonly [RegExp, (part: RegExpExecArray) => string])[] = [
  [/^\*+/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
  [
    /^\[([!^]?)([^\]/]+)\]/,
    ([, not = '', set = '']) => `[${not === '' ? '' : '^'}${set.replaceAll(/[\\[\]^&~]/g, String.raw`\$&`)}]`,
  ],
  [/^[^*?[{}]/, ([char]) => char.replaceAll(/[.+^$()|\\\]]/g, String.raw`\$&`)],
];

/**
 * Takes the paths that a pattern names, and all below them. `*` and `?` stay between two slashes, `**` between them stands for any
 * number of folders. Throws for a pattern that others may read in another way: one that denies too little is worse than none.
 */
export function compileDenyPattern(pattern: string): RegExp {
  if (!pattern.startsWith('/')) throw FileError.badRequest(`The pattern ${pattern} is not an absolute path.`);
  const segments = pattern.slice(1).split('/');
  const source = segments
    .map((segment) => (segment === '**' ? String.raw`(?:/[^/]+)*` : `/${compileSegment(segment, pattern)}`))
    .join('');
  // Nothing but folders in the end: all that is in the one before, but not that itself.
  const end = segments.at(-1) === '**' ? '(?:/.+)' : '(?:/.*)?';
  return new RegExp(`^${source}${end}$`, 's');
}

function compileSegment(segment: string, pattern: string): string {
  let source = '';
  for (let rest = segment; rest !== '';) {
    const [known, part] = findPart(rest) ?? [];
    if (known === undefined || part === undefined) {
      throw FileError.badRequest(`The pattern ${pattern} has ${JSON.stringify(rest[0])}, which is not known in patterns.`);
    }
    source += known(part);
    rest = rest.slice(part[0].length);
  }
  return source;
}

function findPart(rest: string): [(part: RegExpExecArray) => string, RegExpExecArray] | undefined {
  for (const [form, toSource] of PARTS) {
    const part = form.exec(rest);
    if (part !== null) return [toSource, part];
  }
  return undefined;
}
