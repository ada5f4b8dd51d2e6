/** Ends a word unless quoted. */
export const METACHARACTERS = ' \t\n;&|()<>';

/**
 * What may stand in a line at all, quoted or not: no NUL, no carriage return, no escape sequence, nothing that cannot be encoded.
 * A terminal, a program or a person would each see something else in them.
 */
export function isUnprintable(text: string): boolean {
  return /[^\P{C}\t\n]/u.test(text);
}

/** Words that shells know as part of their own language when bare and first. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  'and',
  'begin',
  'case',
  'coproc',
  'do',
  'done',
  'elif',
  'else',
  'end',
  'esac',
  'fi',
  'for',
  'foreach',
  'function',
  'if',
  'nocorrect',
  'noglob',
  'not',
  'or',
  'repeat',
  'select',
  'switch',
  'then',
  'until',
  'while',
]);

/** Those after which words follow that are not a command. */
export const KEYWORDS_WITH_WORDS: ReadonlySet<string> = new Set(['case', 'for', 'foreach', 'function', 'select', 'switch']);

/** An assignment before a command, such as `A=`, `a+=`, `a[1]=`. */
export const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/s;

/**
 * Names of programs that look like what they are. Others may look like another name to a person, be the same to a file system
 * that folds them, or mean something to a shell, such as `-`, `%1` and `^a^b`.
 */
export const PLAIN_PROGRAM = /^[A-Za-z0-9_./+][A-Za-z0-9_./+:@,-]*$/;

/** Bare characters that mean themselves in every shell of the dialect, wherever in a word they stand. */
export const ORDINARY = {
  posix: /[A-Za-z0-9_\-./:,+@%=^\]]/,
  zsh: /[A-Za-z0-9_\-./:,+@%=\]]/,
  fish: /[A-Za-z0-9_\-./:,+@=\]]/,
  other: /[A-Za-z0-9_\-./:,+=]/,
} as const;
