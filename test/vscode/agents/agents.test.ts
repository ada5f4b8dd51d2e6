import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AGENT_IDS, type AgentId, connectionOf, needsFolder } from '../../../src/vscode/agents/agents';

const launcher = "/it's mine/exec-sessions";
const options = { launcher, folder: '/project', isDefault: true, env: {} };

/** The file and all that an agent reads in it, or the text for the user. */
function outcome(agent: AgentId, env: NodeJS.ProcessEnv = {}): unknown {
  const connection = connectionOf(agent, { ...options, env });
  if (connection.kind === 'text') return connection.text;
  const change = connection.change('');
  return [connection.file, 'text' in change && change.text.trim() === connection.snippet, connection.snippet];
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

it.each<[AgentId, unknown]>([
  [
    'vscode',
    [
      '/project/.vscode/mcp.json',
      true,
      json({
        servers: {
          'exec-sessions': { type: 'stdio', command: launcher, args: ['mcp', '--cwd', '${workspaceFolder}'] },
        },
      }),
    ],
  ],
  [
    'codex',
    [
      path.join(homedir(), '.codex', 'config.toml'),
      true,
      `[mcp_servers.exec-sessions]\ncommand = "${launcher}"\nargs = [ "mcp" ]\ntool_timeout_sec = 660`,
    ],
  ],
  [
    'codexExecServer',
    [
      path.join(homedir(), '.codex', 'environments.toml'),
      true,
      `default = "exec-sessions"\n\n[[environments]]\nid = "exec-sessions"\nprogram = "${launcher}"\nargs = [ "exec-server", "--listen", "stdio", "--attach", "require" ]`,
    ],
  ],
  [
    'claudeProject',
    [
      '/project/.mcp.json',
      true,
      json({ mcpServers: { 'exec-sessions': { type: 'stdio', command: launcher, args: ['mcp'] } } }),
    ],
  ],
  ['claudeUser', String.raw`claude mcp add --scope user exec-sessions -- '/it'\''s mine/exec-sessions' mcp`],
  [
    'gemini',
    [
      '/project/.gemini/settings.json',
      true,
      json({ mcpServers: { 'exec-sessions': { command: launcher, args: ['mcp'] } } }),
    ],
  ],
  ['other', json({ mcpServers: { 'exec-sessions': { command: launcher, args: ['mcp'] } } })],
])('tells %s of the server in its own way', (agent, expected) => {
  expect(outcome(agent)).toEqual(expected);
});

it('writes to the folder that Codex was told to use', () => {
  expect(outcome('codex', { CODEX_HOME: '/codex' })).toContain(path.join('/codex', 'config.toml'));
});

it('needs a folder of the workspace for the files that lie in one', () => {
  const inFolder = AGENT_IDS.filter((agent) => {
    const connection = connectionOf(agent, options);
    return connection.kind === 'file' && connection.file.startsWith('/project/');
  });

  expect(AGENT_IDS.filter(needsFolder)).toEqual(inFolder);
});
