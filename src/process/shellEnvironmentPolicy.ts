/**
 * Which variables of its host a program gets. The rules and their order are those of Codex's `shell_environment_policy`, so that
 * one configuration means the same everywhere.
 */
export type Environment = Readonly<Record<string, string>>;

export interface ShellEnvironmentPolicy {
  /** What to start from: everything, the few variables that nearly every program needs, or nothing. */
  readonly inherit: 'all' | 'core' | 'none';
  /** Whether names that look like secrets ({@link DEFAULT_EXCLUDES}) are kept. */
  readonly ignoreDefaultExcludes: boolean;
  /** Patterns of names to drop. Patterns are for whole names, know `*` and `?`, and do not mind upper and lower case. */
  readonly exclude: readonly string[];
  /** Variables to add; not subject to the excludes. */
  readonly set: Environment;
  /** If there are any, only names that match one of these patterns stay, also of `set`. */
  readonly includeOnly: readonly string[];
}

export const DEFAULT_SHELL_ENVIRONMENT_POLICY: ShellEnvironmentPolicy = {
  inherit: 'all',
  // As in a terminal: without tokens many a tool fails and puts the blame elsewhere.
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};

export const DEFAULT_EXCLUDES: readonly string[] = ['*KEY*', '*SECRET*', '*TOKEN*'];

export const CORE_NAMES: readonly string[] =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'SYSTEMDRIVE',
        'COMSPEC',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TEMP', 'TMP', 'TMPDIR', 'USER'];

/**
 * What means something only to the host, and is never inherited: internals of an editor, our own variables and those of the
 * server of another maker that we stand in for, and the terminal or multiplexer that the host itself runs in.
 */
const HOST_ONLY: readonly string[] = [
  'VSCODE_*',
  'ELECTRON_*',
  'EXEC_SESSIONS_*',
  'CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE',
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
  'TERM_PROGRAM*',
  'TERMCAP',
  'TMUX*',
  'STY',
  'WINDOWID',
  'LINES',
  'COLUMNS',
  'NODE_CHANNEL_*',
  'NODE_UNIQUE_ID',
];

export interface AppliedPolicy {
  readonly env: Environment;
  /** Names, never values, of the host's variables that the policy left out; without those that are never inherited. */
  readonly omitted: readonly string[];
}

const isHostOnly = matcher(HOST_ONLY);
const isCore = matcher(CORE_NAMES);

export function applyPolicy(host: NodeJS.ProcessEnv, policy: ShellEnvironmentPolicy): AppliedPolicy {
  const offered = Object.entries(host).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isHostOnly(entry[0]),
  );
  const isInherited = (name: string): boolean => policy.inherit === 'all' || (policy.inherit === 'core' && isCore(name));
  const isExcluded = matcher([...(policy.ignoreDefaultExcludes ? [] : DEFAULT_EXCLUDES), ...policy.exclude]);
  const inherited = offered.filter(([name]) => isInherited(name) && !isExcluded(name));
  const isIncluded = policy.includeOnly.length === 0 ? () => true : matcher(policy.includeOnly);
  const kept = [...inherited, ...Object.entries(policy.set)].filter(([name]) => isIncluded(name));
  const env = Object.fromEntries(kept);
  return { env, omitted: offered.map(([name]) => name).filter((name) => !(name in env)) };
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.length === 0) return () => false;
  const expressions = patterns.map((pattern) =>
    pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.'),
  );
  const expression = new RegExp(`^(?:${expressions.join('|')})$`, 'is');
  return (name) => expression.test(name);
}
