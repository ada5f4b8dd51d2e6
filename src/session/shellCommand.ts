import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { quoteForShell } from '../base/quoteForShell';

/** Where nothing says otherwise: what models write is bash. */
export const DEFAULT_SHELL = process.platform === 'win32' ? 'powershell.exe' : '/bin/bash';

type Argv = readonly [string, ...string[]];

/** Of any other program nobody knows what its `-c` means. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'sh', 'dash', 'ksh', 'fish', 'cmd', 'pwsh', 'powershell'];
/** Nothing in it means anything to a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** The argument list with which `shell` runs `command`. The text reaches the shell untouched, as one argument. */
export function shellCommandArgv(shell: string, command: string, isLogin: boolean): Argv {
  switch (shellName(shell)) {
    case 'cmd':
      return [shell, '/d', '/s', '/c', command];
    case 'pwsh':
    case 'powershell':
      return [shell, ...(isLogin ? [] : ['-NoProfile']), '-Command', command];
    default:
      // A text that begins with a dash would be taken for an option; the space changes nothing for a shell.
      return [shell, isLogin ? '-lc' : '-c', command.startsWith('-') ? ` ${command}` : command];
  }
}

export interface CommandLine {
  readonly command: string;
  /** Whether a shell reads the user's login profile before it. */
  readonly isLogin: boolean;
}

/** An argument list as people would write it: what a shell is to run, where it is one that runs a command, else its words. */
export function commandLineOf(argv: Argv): CommandLine {
  const [program] = argv;
  const command = argv.at(-1) ?? '';
  const isLogin = [true, false].find(
    (login) => SHELLS.includes(shellName(program)) && isDeepStrictEqual(shellCommandArgv(program, command, login), argv),
  );
  if (isLogin !== undefined) return { command, isLogin };
  return { command: argv.map((word) => (PLAIN_WORD.test(word) ? word : quoteForShell(word))).join(' '), isLogin: false };
}

/** The argument list of a shell for people, with their start-up files. */
export function interactiveShellArgv(shell: string): Argv {
  return ['cmd', 'pwsh', 'powershell'].includes(shellName(shell)) ? [shell] : [shell, '-i'];
}

function shellName(shell: string): string {
  return path
    .basename(shell)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
