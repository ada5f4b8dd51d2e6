import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until';
import { chooseAgent } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TURN_TIMEOUT_MS = 90_000;
/** VS Code's own agent, which has VS Code's own terminal tool. */
const PLAIN_AGENT = { name: 'agent', label: 'Agent' };
/** Terminals of VS Code have ids of this form. */
const UNKNOWN_TERMINAL = '00000000-0000-4000-8000-000000000000';
const SETTINGS = { 'editor.tabSize': 3 };

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost({
    files: { '.vscode/settings.json': JSON.stringify(SETTINGS), 'notes.txt': 'Water the plants.' },
  });
  await host.window.chat.waitForModel(host.model.name);
});

afterAll(async () => {
  await host.stop();
});

it('refuses the built-in terminal to the agents that have it, and tells them what to use', async () => {
  await turn('execSessions.turnOffBuiltInTerminal');
  await chooseAgent(host, PLAIN_AGENT);
  const run = await call('run_in_terminal', commandInput('refused'));
  const typed = await call('send_to_terminal', { id: UNKNOWN_TERMINAL, command: 'date' });
  await host.window.screenshot('built-in-terminal-refused');

  expect(run).toMatch(
    /denied: The user has turned the terminal of VS Code off .* Use exec_command of Exec Sessions instead\./,
  );
  expect(typed).toBe(run);
  expect(existsSync(inWorkspace('refused'))).toBe(false);
});

it('leaves all other tools to them', async () => {
  const text = await call('read_file', { filePath: inWorkspace('notes.txt'), startLine: 1, endLine: 1 });
  const sessions = await call('list_sessions', {});

  expect(text).toContain('Water the plants.');
  expect(sessions).toContain('"sessions":[]');
});

it('runs it again after it was turned on', async () => {
  await turn('execSessions.turnOnBuiltInTerminal');
  await chooseAgent(host, PLAIN_AGENT);
  const result = await call('run_in_terminal', commandInput('allowed'));

  expect(result).not.toContain('denied');
  expect(existsSync(inWorkspace('allowed'))).toBe(true);
  expect(JSON.parse(readFileSync(inWorkspace('.vscode/settings.json'), 'utf8'))).toEqual(SETTINGS);
});

/** Runs a command of the switch to its end: the last thing that it does is to go to the chat with another agent. */
async function turn(command: string): Promise<void> {
  await host.evaluate(({ vscode }, id) => vscode.commands.executeCommand(id), command);
}

/** The model of the chat calls a tool, and the user allows whatever the chat asks; returns what the model is told then. */
async function call(tool: string, input: object): Promise<string> {
  const asked = host.model.requests.length;
  await host.window.chat.send(`CALL ${tool} ${JSON.stringify(input)}`);
  const result = async (): Promise<string | undefined> => {
    await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.chat.acceptTool'));
    // Requests without tools are the chat's own, such as the one for a title of the conversation.
    return host.model.requests.slice(asked).filter(({ tools }) => tools.length > 0)[1]?.lastText;
  };
  return until(`the model has got the result of ${tool}`, result, TURN_TIMEOUT_MS);
}

/** What the built-in tool wants to make a file of this name. */
function commandInput(file: string): object {
  return { command: `touch ${inWorkspace(file)}`, explanation: 'Make a file', goal: 'Make a file', mode: 'sync' };
}

function inWorkspace(file: string): string {
  return path.join(host.server.workspaceDir, file);
}
