/** Every id that the manifest (`package.json`) and the code have in common, once. A test compares the two both ways. */

export const COMMANDS = {
  newSharedShell: 'execSessions.newSharedShell',
  focusSession: 'execSessions.focusSession',
  revealSession: 'execSessions.revealSession',
  openTranscript: 'execSessions.openTranscript',
  copyOutput: 'execSessions.copyOutput',
  saveAsciicast: 'execSessions.saveAsciicast',
  restartSession: 'execSessions.restartSession',
  terminateSession: 'execSessions.terminateSession',
} as const;

export const VIEWS = {
  sessions: 'execSessions.sessions',
} as const;

/** What `viewItem` can be in the `when` clauses of the view's menus. */
export const ITEM_KINDS = {
  running: 'session.running',
  ended: 'session.ended',
} as const;

/** Of the addresses of transcripts in editors; not that of the MCP resources, which are addressed another way. */
export const TRANSCRIPT_SCHEME = 'exec-session-transcript';

export const MCP_PROVIDER_ID = 'execSessions.mcp';

export const SETTINGS_SECTION = 'execSessions';

/**
 * When a session that an agent started gets a terminal tab by itself:
 * - `always`: as soon as it starts
 * - `longRunning`: once it has been running for a while, or waits for input
 * - `never`: only when somebody asks for it
 */
export const REVEAL_MODES = ['always', 'longRunning', 'never'] as const;
export type RevealMode = (typeof REVEAL_MODES)[number];

/** Settings by their key inside {@link SETTINGS_SECTION}, with their defaults. */
export const SETTINGS = {
  /** Empty: the product's own default shell. */
  defaultShell: '',
  revealTerminal: 'longRunning',
  redactSecrets: false,
  agentPagers: true,
  /** Keys of `ShellEnvironmentPolicy` that differ from its default. */
  shellEnvironment: {},
  outputSessionMegabytes: 256,
  outputTotalMegabytes: 1_024,
} as const satisfies Record<string, unknown>;
