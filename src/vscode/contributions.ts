/** Every id that the manifest (`package.json`) and the code have in common, once. A test compares the two both ways. */

export const COMMANDS = {
  newSharedShell: 'execSessions.newSharedShell',
  connectAgent: 'execSessions.connectAgent',
  copyExecServerConnection: 'execSessions.copyExecServerConnection',
  focusSession: 'execSessions.focusSession',
  revealSession: 'execSessions.revealSession',
  openTranscript: 'execSessions.openTranscript',
  copyOutput: 'execSessions.copyOutput',
  saveAsciicast: 'execSessions.saveAsciicast',
  restartSession: 'execSessions.restartSession',
  takeOver: 'execSessions.takeOver',
  giveBack: 'execSessions.giveBack',
  terminateSession: 'execSessions.terminateSession',
  turnOffBuiltInTerminal: 'execSessions.turnOffBuiltInTerminal',
  turnOnBuiltInTerminal: 'execSessions.turnOnBuiltInTerminal',
} as const;

export const ENVIRONMENT_COMMANDS = {
  add: 'execSessions.addEnvironment',
  connect: 'execSessions.connectEnvironment',
  disconnect: 'execSessions.disconnectEnvironment',
  setDefault: 'execSessions.setDefaultEnvironment',
  copyId: 'execSessions.copyEnvironmentId',
  openFolder: 'execSessions.openFolder',
  openSettings: 'execSessions.openEnvironmentSettings',
  showLog: 'execSessions.showLog',
} as const;

export const MCP_COMMANDS = {
  showLog: 'execSessions.showMcpServerLog',
} as const;

/** Of the addresses of files of environments: `exec-env://<id>/path`. */
export const EXEC_ENV_SCHEME = 'exec-env';

export const VIEWS = {
  sessions: 'execSessions.sessions',
  environments: 'execSessions.environments',
} as const;

/** What `viewItem` can be in the `when` clauses of the view's menus. */
export const ITEM_KINDS = {
  /** The user and agents both type. */
  shared: 'session.running.shared',
  /** The user has taken over. */
  held: 'session.running.held',
  ended: 'session.ended',
} as const;

/** The same for the view of the environments: how one is connected; with `.default` at its end for the default. */
export const ENVIRONMENT_KINDS = {
  local: 'environment.local',
  connected: 'environment.connected',
  /** For the first time, or again after a loss. */
  connecting: 'environment.connecting',
  disconnected: 'environment.disconnected',
} as const;
export const DEFAULT_SUFFIX = '.default';
/** The same for the MCP servers in that view. */
export const MCP_SERVER_KIND = 'mcpServer';

export const CONTEXT_KEYS = {
  /** Whether commands can run elsewhere than on this machine, or MCP servers, or are meant to: then there is something to show. */
  hasEnvironments: 'execSessions.hasEnvironments',
  /** Who holds the session in the active terminal, as in `Holder`; not set where it shows none that runs. */
  activeSession: 'execSessions.activeSession',
} as const;

/** Of the addresses of transcripts in editors; not that of the MCP resources, which are addressed another way. */
export const TRANSCRIPT_SCHEME = 'exec-session-transcript';

export const MCP_PROVIDER_ID = 'execSessions.mcp';

/** The name of the custom agent in `media/chat`, by which VS Code knows it. */
export const CHAT_AGENT_NAME = 'Exec Sessions';

/** The command line, in the folder of the extension. */
export const CLI_FILE = 'dist/cli.js';

export const SETTINGS_SECTION = 'execSessions';

/**
 * When a session that an agent started gets a terminal tab by itself:
 * - `always`: as soon as it starts
 * - `onInput`: when it waits for input
 * - `longRunning`: when it waits for input, or still runs at the agent's first reply or after some seconds
 * - `never`: only when somebody asks for it
 */
export const REVEAL_MODES = ['always', 'onInput', 'longRunning', 'never'] as const;
export type RevealMode = (typeof REVEAL_MODES)[number];

/** Which tabs of ended sessions are closed by themselves; what they showed can be opened again from the list. */
export const ENDED_TAB_CLOSINGS = ['allButRecent', 'all', 'none'] as const;
/** How many the first of these leaves open: as many as fit into the list of terminals without getting lost in it. */
export const KEPT_ENDED_TABS = 5;
export type EndedTabClosing = (typeof ENDED_TAB_CLOSINGS)[number];

/** Settings by their key inside {@link SETTINGS_SECTION}, with their defaults. */
export const SETTINGS = {
  /** Empty: the product's own default shell. */
  defaultShell: '',
  revealTerminal: 'longRunning',
  closeEndedTabs: 'allButRecent',
  persistSessions: false,
  redactSecrets: false,
  tellTypedText: true,
  agentPagers: true,
  projectDocFallbackNames: [],
  /** Keys of `ShellEnvironmentPolicy` that differ from its default. */
  shellEnvironment: {},
  /** Other machines, as `EnvironmentSettings` has them. */
  environments: [],
  /** Empty: what Codex's file says while the list is empty, else this machine. */
  defaultEnvironment: '',
  /** MCP servers by their names, as `readServers` has them. */
  mcpServers: {},
  outputSessionMegabytes: 256,
  outputTotalMegabytes: 1_024,
  builtInTerminalTool: true,
  attachAgents: true,
  codexExecServer: false,
} as const satisfies Record<string, unknown>;
