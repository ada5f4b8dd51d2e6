/** Programs and builtins that run the command in their arguments, and change nothing about what it does but how it runs. */
export const TRANSPARENT_WRAPPERS: ReadonlyMap<string, { readonly operands: number }> = new Map([
  ['builtin', { operands: 0 }],
  ['command', { operands: 0 }],
  ['env', { operands: 0 }],
  ['exec', { operands: 0 }],
  ['nice', { operands: 0 }],
  ['nohup', { operands: 0 }],
  ['setsid', { operands: 0 }],
  ['time', { operands: 0 }],
  // The first operand is how long.
  ['timeout', { operands: 1 }],
]);

/** Those that run it with other rights, other arguments, elsewhere or later: their commands are looked for, but not relied on. */
export const OPAQUE_WRAPPERS: ReadonlySet<string> = new Set([
  'arch',
  'busybox',
  'caffeinate',
  'chroot',
  'chrt',
  'dbus-run-session',
  'doas',
  'entr',
  'fakeroot',
  'firejail',
  'flock',
  'gdb',
  'gosu',
  'ionice',
  'jobs',
  'ltrace',
  'nsenter',
  'parallel',
  'perf',
  'pkexec',
  'proot',
  'rlwrap',
  'runuser',
  'sched',
  'script',
  'setarch',
  'setpriv',
  'start-stop-daemon',
  'stdbuf',
  'strace',
  'su',
  'su-exec',
  'sudo',
  'systemd-run',
  'taskset',
  'toybox',
  'unbuffer',
  'unshare',
  'valgrind',
  'watch',
  'xargs',
  'zpty',
]);

/**
 * Tools that run the command after their words in the setting of a project. They run anything of the project anyway, so that a
 * rule for the tool is enough to allow it; what rules ask or forbid of the command itself counts besides.
 */
export const PROJECT_RUNNERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['bundle', new Set(['exec'])],
  ['bun', new Set(['x'])],
  ['conda', new Set(['run'])],
  ['mise', new Set(['exec', 'x'])],
  ['npm', new Set(['exec', 'x'])],
  ['pdm', new Set(['run'])],
  ['pipenv', new Set(['run'])],
  ['pnpm', new Set(['exec'])],
  ['poetry', new Set(['run'])],
  ['uv', new Set(['run'])],
  ['yarn', new Set(['exec'])],
]);

/** Programs that run the commands after some of their options, with words of their own added. */
export const RUNS_AFTER_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fd', new Set(['-x', '-X', '--exec', '--exec-batch'])],
  ['find', new Set(['-exec', '-execdir', '-ok', '-okdir'])],
  ['gfind', new Set(['-exec', '-execdir', '-ok', '-okdir'])],
]);

/**
 * Builtins that change what later words mean, keep text to run it later, or run text that is in their arguments. An allowed
 * one would allow everything.
 */
export const SHELL_CHANGERS: ReadonlySet<string> = new Set([
  'abbr',
  'add-zsh-hook',
  'alias',
  'argparse',
  'autoload',
  'bind',
  'bindkey',
  'compgen',
  'complete',
  'disable',
  'emulate',
  'enable',
  'fc',
  'fish_add_path',
  'functions',
  'hash',
  'history',
  'let',
  'r',
  'set',
  'setopt',
  'shopt',
  'trap',
  'unalias',
  'unsetopt',
  'vared',
  'zle',
  'zmodload',
]);

/** Builtins that set variables or run a file in this shell: a rule that names one may allow it, if its words are plain. */
export const STATE_CHANGERS: ReadonlySet<string> = new Set([
  '.',
  'declare',
  'export',
  'float',
  'getopts',
  'integer',
  'local',
  'mapfile',
  'read',
  'readarray',
  'readonly',
  'source',
  'typeset',
  'unset',
]);

/** Builtins that run nothing, write no file and change nothing but the folder: no rule need allow them. */
export const HARMLESS_BUILTINS: ReadonlySet<string> = new Set([':', 'cd', 'echo', 'exit', 'false', 'pwd', 'true']);

/** Options by which an otherwise harmless builtin sets a variable, whose index may hold a command. */
export const VARIABLE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  // Those of zsh also read it as a prompt, in which commands can stand.
  ['print', /^-[a-zA-Z]*[PSsvz]/],
  ['printf', /^-v/],
  ['test', /^-[vR]$/],
  ['wait', /^-[a-z]*p/],
]);

/** Where the programs of a system lie that are what their names say. */
export const SYSTEM_FOLDERS: readonly string[] = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
