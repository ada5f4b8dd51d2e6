import path from 'node:path';

/** Where nothing says otherwise: what models write is bash. */
export const DEFAULT_SHELL = process.platform === 'win32' ? 'powershell.exe' : '/bin/bash';

type Argv = readonly [string, ...string[]];

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
