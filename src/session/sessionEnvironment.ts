/** Variables of the host that mean something only to the host: editor internals, our own, and the terminal that it runs in. */
const HOST_ONLY =
  /^(VSCODE_|ELECTRON_|EXEC_SESSIONS_|TERM_PROGRAM|TMUX|STY$|WINDOWID$|LINES$|COLUMNS$|TERMCAP$|NODE_CHANNEL_FD$|NODE_UNIQUE_ID$)/;

/** What full-colour terminals call themselves; VS Code's terminal is one. */
const TERMINAL_TYPE = 'xterm-256color';
/** The usual name for an output without a terminal behind it. */
const NO_TERMINAL_TYPE = 'dumb';

export type Environment = Readonly<Record<string, string>>;

export interface SessionEnvironmentOptions {
  readonly isTerminal: boolean;
  readonly cwd: string;
  /** Set last: whatever the caller names wins. */
  readonly overrides: Environment;
}

/** The environment of a session: the host's without what belongs to the host, then the caller's. */
export function sessionEnvironment(host: NodeJS.ProcessEnv, options: SessionEnvironmentOptions): Environment {
  const inherited = Object.entries(host).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !HOST_ONLY.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    TERM: options.isTerminal ? TERMINAL_TYPE : NO_TERMINAL_TYPE,
    PWD: options.cwd,
    ...options.overrides,
  };
}
