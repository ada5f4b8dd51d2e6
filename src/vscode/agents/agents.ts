/** The agents that can be connected, as each wants to be told of a server. */
import { homedir } from 'node:os';
import path from 'node:path';
import { quoteForShell } from '../../base/quoteForShell';
import { MAX_YIELD_MS } from '../../mcp/limits';
import { type ConfigChange, SERVER_NAME, type ServerEntry } from './configChange';
import { changeEnvironmentsToml, type EnvironmentChange, environmentsSnippet } from './environmentsToml';
import { changeJsonConfig, jsonSnippet } from './jsonConfig';
import { changeTomlConfig, tomlSnippet } from './tomlConfig';

export type AgentId = 'vscode' | 'codex' | 'codexExecServer' | 'claudeProject' | 'claudeUser' | 'gemini' | 'other';

/** How to connect an agent: by an entry in a file, or by a text that the user takes somewhere. */
export type Connection =
  | {
      readonly kind: 'file';
      readonly file: string;
      /** The entry alone, as it would stand in an empty file. */
      readonly snippet: string;
      /** What has to happen to the file, of which this is the text; empty for one that is not there. */
      readonly change: (text: string) => ConfigChange;
    }
  | { readonly kind: 'text'; readonly text: string };

export interface ConnectionOptions {
  /** The program that starts our command line. */
  readonly launcher: string;
  /** A folder of the workspace; needed by those that {@link needsFolder}. */
  readonly folder: string;
  /** Whether the agent is to run everything in the window that names no other place; of those that {@link hasDefault}. */
  readonly isDefault: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** In the order in which they are offered. */
export const AGENT_IDS: readonly AgentId[] = [
  'vscode',
  'codex',
  'codexExecServer',
  'claudeProject',
  'claudeUser',
  'gemini',
  'other',
];

/** Without a window Codex is told so, and runs commands by itself: it has a sandbox for them, and we have no tabs. */
const EXEC_SERVER_ARGS = ['exec-server', '--listen', 'stdio', '--attach', 'require'];

/** A call comes back within this time; whoever gives up sooner loses the reply. */
const CODEX_TOOL_TIMEOUT_S = MAX_YIELD_MS / 1_000 + 60;

/** Whether the file lies in a folder of the workspace. */
export function needsFolder(agent: AgentId): boolean {
  return agent === 'vscode' || agent === 'claudeProject' || agent === 'gemini';
}

/** Whether the agent has other places for commands beside the window, and one of them is its default. */
export function hasDefault(agent: AgentId): boolean {
  return agent === 'codexExecServer';
}

export function connectionOf(agent: AgentId, { launcher, folder, isDefault, env }: ConnectionOptions): Connection {
  const server = { command: launcher, args: ['mcp'] };
  switch (agent) {
    case 'vscode':
      return jsonFile(path.join(folder, '.vscode', 'mcp.json'), 'servers', {
        type: 'stdio',
        command: launcher,
        args: ['mcp', '--cwd', '${workspaceFolder}'],
      });
    case 'codex':
      return codexFile(env, { ...server, tool_timeout_sec: CODEX_TOOL_TIMEOUT_S });
    case 'codexExecServer':
      return codexEnvironment(env, { isDefault, entry: { program: launcher, args: EXEC_SERVER_ARGS } });
    case 'claudeProject':
      return jsonFile(path.join(folder, '.mcp.json'), 'mcpServers', { type: 'stdio', ...server });
    case 'claudeUser':
      return { kind: 'text', text: `claude mcp add --scope user ${SERVER_NAME} -- ${quoteForShell(launcher)} mcp` };
    case 'gemini':
      return jsonFile(path.join(folder, '.gemini', 'settings.json'), 'mcpServers', server);
    case 'other':
      return { kind: 'text', text: jsonSnippet('mcpServers', server) };
  }
}

function jsonFile(file: string, section: string, entry: ServerEntry): Connection {
  return {
    kind: 'file',
    file,
    snippet: jsonSnippet(section, entry),
    change: (text) => changeJsonConfig(text, section, entry),
  };
}

function codexFolder(env: NodeJS.ProcessEnv): string {
  const home = env['CODEX_HOME'];
  return home === undefined || home === '' ? path.join(homedir(), '.codex') : home;
}

function codexEnvironment(env: NodeJS.ProcessEnv, change: EnvironmentChange): Connection {
  return {
    kind: 'file',
    file: path.join(codexFolder(env), 'environments.toml'),
    snippet: environmentsSnippet(change),
    change: (text) => changeEnvironmentsToml(text, change),
  };
}

function codexFile(env: NodeJS.ProcessEnv, entry: ServerEntry): Connection {
  const section = 'mcp_servers';
  return {
    kind: 'file',
    file: path.join(codexFolder(env), 'config.toml'),
    snippet: tomlSnippet(section, entry),
    change: (text) => changeTomlConfig(text, section, entry),
  };
}
