import path from 'node:path';

/**
 * The languages of shells, as far as they differ here. What counts as plain is what means the same in all shells of a dialect,
 * with any of their options.
 */
export type Dialect =
  /** sh, bash, dash, ksh and their like. */
  | 'posix'
  | 'zsh'
  | 'fish'
  /** None that is known well enough to tell what a line means. */
  | 'other';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['sh', 'posix'],
  ['bash', 'posix'],
  ['rbash', 'posix'],
  ['dash', 'posix'],
  ['ash', 'posix'],
  ['ksh', 'posix'],
  ['ksh93', 'posix'],
  ['mksh', 'posix'],
  ['zsh', 'zsh'],
  ['fish', 'fish'],
  ['csh', 'other'],
  ['tcsh', 'other'],
  ['nu', 'other'],
  ['elvish', 'other'],
  ['xonsh', 'other'],
  ['pwsh', 'other'],
  ['powershell', 'other'],
  ['cmd', 'other'],
]);

/** The dialect of a shell by its path or name, or undefined for what is no shell. */
export function dialectOf(shell: string): Dialect | undefined {
  return DIALECTS.get(programName(shell));
}

/** The last part of a path, without the ending of Windows, in lower case: many file systems do not tell cases apart. */
export function programName(program: string): string {
  const last = path.posix.basename(path.win32.basename(program));
  return last.toLowerCase().replace(/\.(?:exe|com|bat|cmd)$/, '');
}
