import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until';
import { type ChatAgent, chooseAgent, newChat } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import type { ModelRequest } from './support/scriptedModel';

const ANSWER_TIMEOUT_MS = 90_000;
const OUR_TOOLS = ['exec_command', 'list_sessions', 'read_output', 'resize_session', 'terminate_session', 'write_stdin'];
/** All that VS Code itself has to run commands with. */
const BUILT_IN_TOOLS = [
  'run_in_terminal',
  'get_terminal_output',
  'send_to_terminal',
  'kill_terminal',
  'create_and_run_task',
];
/** What a workspace has set before ours comes: the switch must leave all of it as it is. */
const WORKSPACE_SETTINGS = { 'editor.tabSize': 3, 'chat.newSession.defaultMode': 'Ask' };

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await host.window.chat.waitForModel(host.model.name);
});

afterAll(async () => {
  await host.stop();
});

describe('the agent Exec Sessions', () => {
  it('has our tools, those for files, and no other terminal', async () => {
    const { tools, wholeText } = await askWith({ name: 'Exec Sessions', label: 'Exec Sessions' });
    await host.window.screenshot('chat-agent');

    expect(terminalTools(tools)).toEqual(OUR_TOOLS);
    expect(tools).toEqual(expect.arrayContaining(['read_file', 'create_file', 'grep_search', 'file_search']));
    expect(wholeText).toContain('You can run commands.');
  });

  it('leaves the agent of VS Code as it is, but tells it how to work with programs that ask', async () => {
    const { tools, wholeText } = await askWith({ name: 'agent', label: 'Agent' });

    expect(terminalTools(tools)).toEqual([...BUILT_IN_TOOLS, ...OUR_TOOLS].sort());
    expect(wholeText).toMatch(/^- Hidden input, such as a password, is typed by the user in the terminal\./m);
  });
});

describe('the switch for the built-in terminal tool', () => {
  it('starts new chats with no other terminal than ours, over a reload', async () => {
    writeSettings(WORKSPACE_SETTINGS);
    await untilSetting('chat.newSession.defaultMode', 'Ask');

    await host.window.runCommand('Exec Sessions: Turn Off Built-in Terminal Tool');
    await untilSetting('chat.newSession.defaultMode', 'Exec Sessions');
    const open = await ask();
    await newChat(host);
    const fresh = await ask();
    await host.reloadWindow();
    await host.window.chat.waitForModel(host.model.name);
    await newChat(host);
    const reloaded = await ask();
    await host.window.screenshot('built-in-terminal-off');

    expect([open, fresh, reloaded].map(({ tools }) => terminalTools(tools))).toEqual([OUR_TOOLS, OUR_TOOLS, OUR_TOOLS]);
    expect(readSettings()).toEqual({
      'editor.tabSize': 3,
      'chat.newSession.defaultMode': 'Exec Sessions',
      'execSessions.builtInTerminalTool': false,
    });
  });

  it('gives the tool back, and the settings exactly as they were', async () => {
    await host.window.runCommand('Exec Sessions: Turn On Built-in Terminal Tool');
    await untilSetting('chat.newSession.defaultMode', 'Ask');
    const { tools } = await ask();

    expect(terminalTools(tools)).toEqual([...BUILT_IN_TOOLS, ...OUR_TOOLS].sort());
    expect(readSettings()).toEqual(WORKSPACE_SETTINGS);
  });

  it('leaves no setting behind where there was none, and follows the setting when it is written by hand', async () => {
    writeSettings({ 'execSessions.builtInTerminalTool': false });
    await untilSetting('chat.newSession.defaultMode', 'Exec Sessions');
    writeSettings({ ...readSettings(), 'execSessions.builtInTerminalTool': undefined });
    await untilSetting('chat.newSession.defaultMode', undefined);

    expect(readSettings()).toEqual({});
  });

  it('does not touch what somebody has set since', async () => {
    writeSettings({ 'execSessions.builtInTerminalTool': false });
    await untilSetting('chat.newSession.defaultMode', 'Exec Sessions');
    writeSettings({ 'execSessions.builtInTerminalTool': false, 'chat.newSession.defaultMode': 'Plan' });
    await untilSetting('chat.newSession.defaultMode', 'Plan');
    await host.window.runCommand('Exec Sessions: Turn On Built-in Terminal Tool');
    await untilSetting('execSessions.builtInTerminalTool', undefined);

    expect(readSettings()).toEqual({ 'chat.newSession.defaultMode': 'Plan' });
  });
});

/** Sends something in a new chat with this agent, and returns what the model was asked. */
async function askWith(agent: ChatAgent): Promise<ModelRequest> {
  await newChat(host);
  await chooseAgent(host, agent);
  return ask();
}

async function ask(): Promise<ModelRequest> {
  const asked = host.model.requests.length;
  await host.window.chat.send('Hello.');
  const hasTools = ({ tools }: ModelRequest): boolean => tools.length > 0;
  return until('the model is asked', () => host.model.requests.slice(asked).find(hasTools), ANSWER_TIMEOUT_MS);
}

function settingsFile(): string {
  return path.join(host.server.workspaceDir, '.vscode', 'settings.json');
}

function writeSettings(settings: object): void {
  mkdirSync(path.dirname(settingsFile()), { recursive: true });
  writeFileSync(settingsFile(), JSON.stringify(settings));
}

function readSettings(): object {
  return JSON.parse(readFileSync(settingsFile(), 'utf8')) as object;
}

/** Waits until the workspace has this value, as extensions see it. */
async function untilSetting(key: string, value: unknown): Promise<void> {
  const read = (): Promise<unknown> =>
    host.evaluate(({ vscode }, name) => vscode.workspace.getConfiguration().inspect(name)?.workspaceValue ?? null, key);
  await until(`${key} is ${String(value)}`, async () => (await read()) === (value ?? null), ANSWER_TIMEOUT_MS);
}

/** The names of the tools that run or type something, ours without the name of the server. */
function terminalTools(tools: readonly string[]): string[] {
  const names = tools.map((name) => name.replace('mcp_exec_sessions_', ''));
  return names.filter((name) => [...OUR_TOOLS, ...BUILT_IN_TOOLS].includes(name)).sort();
}
