import { until } from '../support/until';
import type { EditorHost } from './support/editorHost';

/** From a message to the answer after a tool ran, with the approvals in between. */
const TURN_TIMEOUT_MS = 90_000;
const CLICK_TIMEOUT_MS = 1_000;

/** What our tools reply, as far as tests look at it. */
export interface Reply {
  readonly output: string;
  readonly status: string;
  readonly sessionId: number;
  readonly isRunning: boolean;
  readonly exitCode?: number;
  readonly endReason?: string;
}

/** An agent of the chat, by the name that VS Code has for it and by what the chat shows. */
export interface ChatAgent {
  readonly name: string;
  readonly label: string;
}

/** The model of the chat calls a tool; returns when the chat asks whether it may, with what it shows about the call. */
export async function proposeCall(host: EditorHost, tool: string, input: object): Promise<string> {
  await sendCall(host, tool, input);
  // The call is drawn by a code editor, which writes spaces that do not break.
  return (await host.window.chat.waitForConfirmation()).replaceAll('\u00a0', ' ');
}

/** Allows whatever the chat asks, the call and then perhaps its result, until the model has got the result. */
export async function allowCall(host: EditorHost): Promise<Reply> {
  const asked = host.model.requests.length;
  const allow = host.window.page.locator('.interactive-item-container .monaco-button').filter({ hasText: /^Allow/ });
  return until(
    'the model has got the result of the tool',
    async () => {
      // A link to the whole output may stand before the reply itself, each on a line of its own.
      const lines = host.model.requests.slice(asked).flatMap(({ lastText }) => lastText.split('\n'));
      const json = lines.find((line) => line.startsWith('{"output"') || line.startsWith('{"sessions"'));
      if (json !== undefined) return JSON.parse(json) as Reply;
      // A question that has just been answered may be gone before the click.
      if ((await allow.count()) > 0)
        await allow
          .last()
          .click({ timeout: CLICK_TIMEOUT_MS })
          .catch(() => undefined);
      return undefined;
    },
    TURN_TIMEOUT_MS,
  );
}

/** The model of the chat calls a tool, and the user allows it where the chat asks. */
export async function callInChat(host: EditorHost, tool: string, input: object): Promise<Reply> {
  await sendCall(host, tool, input);
  return allowCall(host);
}

/** Opens a chat with the agent that the settings say. */
export async function newChat(host: EditorHost): Promise<void> {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.chat.newChat'));
}

/** Goes on with this agent in the chat that is open. */
export async function chooseAgent(host: EditorHost, { name, label }: ChatAgent): Promise<void> {
  const isChosen = async (): Promise<boolean> => {
    // A window that has just opened does not know the agents of extensions yet, and ignores their names.
    await host.evaluate(({ vscode }, mode) => vscode.commands.executeCommand('workbench.action.chat.open', { mode }), name);
    return host.window.page.locator('.interactive-input-part').getByText(label, { exact: true }).first().isVisible();
  };
  await until(`the chat is with ${label}`, isChosen, TURN_TIMEOUT_MS);
}

/** Lets the agent call the tools from here on without being asked, the way a user does it: by allowing each once. */
export async function allowTools(host: EditorHost): Promise<void> {
  const { sessionId } = await callInChat(host, 'exec_command', { cmd: 'exec sleep 1000', yield_time_ms: 0 });
  await callInChat(host, 'write_stdin', { session_id: sessionId, chars: '', yield_time_ms: 0 });
  await callInChat(host, 'terminate_session', { session_id: sessionId });
}

/** Calls a tool as VS Code does it for an agent, without the chat around it. Needs {@link allowTools}. */
export async function callTool(host: EditorHost, tool: string, input: object): Promise<Reply> {
  return host.evaluate(
    async ({ vscode }, { tool, input }) => {
      const found = vscode.lm.tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(`_${tool}`));
      if (found === undefined) throw new Error(`VS Code knows no tool ${tool}.`);
      const { content } = await vscode.lm.invokeTool(found.name, { input, toolInvocationToken: undefined });
      const texts = content.map((part) => (part as { value?: unknown }).value).filter((value) => typeof value === 'string');
      const json = texts.find((text) => text.startsWith('{'));
      if (json === undefined) throw new Error(`The tool says: ${texts.join('\n')}`);
      return JSON.parse(json) as Reply;
    },
    { tool, input },
  );
}

export function execCommand(host: EditorHost, cmd: string, more: object = {}): Promise<Reply> {
  return callTool(host, 'exec_command', { cmd, ...more });
}

/** The names of all terminal tabs. */
export function terminalNames(host: EditorHost): Promise<string[]> {
  return host.evaluate(({ vscode }) => vscode.window.terminals.map(({ name }) => name));
}

/** Closes every terminal tab, which ends the sessions that still run in them. */
export async function closeTerminals(host: EditorHost): Promise<void> {
  await host.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.terminal.killAll'));
  await until('the terminals to be gone', async () => (await terminalNames(host)).length === 0, TURN_TIMEOUT_MS);
}

/** `undefined`: the default. */
export async function setRevealMode(host: EditorHost, mode: string | undefined): Promise<void> {
  await setSetting(host, 'revealTerminal', mode);
}

/** Sets one of our settings by its key; `undefined`: to its default. */
export async function setSetting(host: EditorHost, key: string, value: unknown): Promise<void> {
  await host.evaluate(
    async ({ vscode }, setting) => {
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration('execSessions').update(setting.key, setting.value, target);
    },
    { key, value },
  );
}

/** What a click on a session in the list does. */
export async function focusSession(host: EditorHost, sessionId: number): Promise<void> {
  await host.evaluate(({ vscode }, id) => vscode.commands.executeCommand('execSessions.focusSession', id), sessionId);
}

async function sendCall(host: EditorHost, tool: string, input: object): Promise<void> {
  await host.window.chat.waitForModel(host.model.name);
  await host.window.chat.send(`CALL ${tool} ${JSON.stringify(input)}`);
}
