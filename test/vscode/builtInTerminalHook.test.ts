import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface HookFile {
  readonly hooks: { readonly PreToolUse: readonly { readonly command: string; readonly windows: string }[] };
}

const HOOK_FILE = fileURLToPath(new URL('../../media/chat/built-in-terminal-off/hooks.json', import.meta.url));
const [hook] = (JSON.parse(readFileSync(HOOK_FILE, 'utf8')) as HookFile).hooks.PreToolUse;
const REFUSED_TOOLS = [
  'run_in_terminal',
  'send_to_terminal',
  'get_terminal_output',
  'kill_terminal',
  'create_and_run_task',
  'run_task',
];
const REASON = 'The user has turned the terminal of VS Code off for agents. Use exec_command of Exec Sessions instead.';

it.runIf(process.platform !== 'win32').each(REFUSED_TOOLS)('refuses %s, and says what to use', (tool) => {
  expect(JSON.parse(answerTo(tool, { command: 'echo "{}"' }))).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: REASON,
    },
  });
});

it.runIf(process.platform !== 'win32').each([
  ['another tool', 'read_file', { filePath: '/run_in_terminal' }],
  ['one of ours', 'mcp_exec_sessions_exec_command', { cmd: 'run_in_terminal' }],
  ['a tool whose name only begins or ends like one of them', 'mcp_other_run_task', {}],
  ['input that looks like a call', 'mcp_other_call', { call: { tool_name: 'run_in_terminal' } }],
  ['text that looks like a call', 'create_file', { content: '{"tool_name":"run_in_terminal"}' }],
  ['more text than a pipe holds', 'create_file', { content: '\u00e9'.repeat(1_000_000) }],
])('says nothing about %s', (_, tool, input) => {
  expect(answerTo(tool, input)).toBe('');
});

it('says the same on Windows', () => {
  const tools = /\((\w+(?:\|\w+)+)\)/;
  expect(tools.exec(hook!.command)?.[1]?.split('|')).toEqual(REFUSED_TOOLS);
  expect(tools.exec(hook!.windows)?.[1]?.split('|')).toEqual(REFUSED_TOOLS);
  expect(hook!.windows).toContain(`'${REASON}'`);
});

/** What the hook prints when VS Code asks it about this call, the way VS Code does it: one line of JSON without a line end. */
function answerTo(tool: string, input: object): string {
  const call = { timestamp: '2026-01-01T00:00:00.000Z', hook_event_name: 'PreToolUse', session_id: '1', tool_name: tool };
  const asked = JSON.stringify({ ...call, tool_input: input, tool_use_id: 'call-1', cwd: '/' });
  const { stdout, stderr, status } = spawnSync(hook!.command, { shell: true, input: asked, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}
