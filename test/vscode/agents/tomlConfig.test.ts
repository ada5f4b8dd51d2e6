import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { changeTomlConfig } from '../../../src/vscode/agents/tomlConfig';

const entry = { command: '/a "b"/exec-sessions', args: ['mcp'], tool_timeout_sec: 660 };
const table = `[mcp_servers.exec-sessions]
command = "/a \\"b\\"/exec-sessions"
args = [ "mcp" ]
tool_timeout_sec = 660
`;

describe('an entry in a TOML file', () => {
  it.each([
    ['no text', '', table],
    ['settings and comments', '# mine\nmodel = "x" # best\n', `# mine\nmodel = "x" # best\n\n${table}`],
    ['other servers', '[mcp_servers.z]\ncommand = "z"\n', `[mcp_servers.z]\ncommand = "z"\n\n${table}`],
    ['no line end at the end', 'a = 1', `a = 1\n\n${table}`],
    ['line ends of Windows', 'a = 1\r\n', `a = 1\r\n\r\n${table.replaceAll('\n', '\r\n')}`],
  ])('is put at the end of a file with %s', (_what, text, expected) => {
    const change = changeTomlConfig(text, 'mcp_servers', entry);

    expect(change).toEqual({ kind: 'add', text: expected });
    expect(parse(expected)['mcp_servers']).toMatchObject({ 'exec-sessions': entry });
    expect(changeTomlConfig(expected, 'mcp_servers', entry)).toEqual({ kind: 'none' });
  });

  it.each([
    ['has another entry of that name', '[mcp_servers."exec-sessions"]\ncommand = "mine"\n', 'otherEntry'],
    ['has one written with dots', 'mcp_servers.exec-sessions.command = "mine"\n', 'otherEntry'],
    ['is no TOML', 'a = \n', 'unreadable'],
    ['cannot be added to, because its servers are closed', 'mcp_servers = { z = { command = "z" } }\n', 'unreadable'],
    ['has something else in place of the servers', 'mcp_servers = 1\n', 'unreadable'],
  ])('is left to the user in a file that %s', (_what, text, reason) => {
    expect(changeTomlConfig(text, 'mcp_servers', entry)).toEqual({ kind: 'byHand', reason });
  });

  it('does not mind what the user added to the entry', () => {
    expect(changeTomlConfig(`${table}startup_timeout_sec = 5\n`, 'mcp_servers', entry)).toEqual({ kind: 'none' });
  });
});
