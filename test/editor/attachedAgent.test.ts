/** Agents outside of the window, connected to it as a user connects them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient, type ToolClient } from '../support/startClient';
import { until } from '../support/until';
import { terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { SessionList } from './support/sessionList';

const TIMEOUT_MS = 60_000;

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

let host: EditorHost;
let workspace: string;
/** What the command wrote for Gemini CLI. */
let entry: ServerEntry;

beforeAll(async () => {
  host = await startEditorHost();
  workspace = host.server.workspaceDir;
});

afterAll(async () => {
  await host.stop();
});

/** Starts what an agent was told to start, with the few variables that agents hand on. */
async function startAgent(...args: string[]): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: entry.command,
    args: [...entry.args, ...args],
    cwd: workspace,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: path.join(host.server.dataDir, 'home') },
  });
  return connectClient(transport);
}

async function chooseAgent(label: string): Promise<void> {
  await host.window.runCommand('Exec Sessions: Connect an Agent...');
  await host.window.pick(label);
}

async function answerDialog(button: string): Promise<void> {
  await host.window.dialog().getByRole('button', { name: button, exact: true }).click();
}

async function setAttachAgents(value: boolean): Promise<void> {
  await host.evaluate(async ({ vscode }, isOn) => {
    const settings = vscode.workspace.getConfiguration('execSessions');
    await settings.update('attachAgents', isOn, vscode.ConfigurationTarget.Global);
  }, value);
}

describe('connecting an agent', () => {
  const settings = (): string => path.join(workspace, '.gemini', 'settings.json');

  it('shows what it would write and where, and writes nothing if the user does not want it', async () => {
    await chooseAgent('Gemini CLI');
    const question = await host.window.dialog().innerText();
    await host.window.screenshot('connect-agent');
    await answerDialog('Cancel');

    expect(question).toContain(`Write to ${settings()}?`);
    expect(question).toMatch(/"mcpServers": \{\s+"exec-sessions": \{\s+"command": ".*\/exec-sessions"/);
    expect(existsSync(settings())).toBe(false);
  });

  it('adds to the file, shows it, and has nothing to do the next time', async () => {
    mkdirSync(path.dirname(settings()), { recursive: true });
    writeFileSync(settings(), '{\n  // Mine.\n  "theme": "dark" // at night\n}\n');

    await chooseAgent('Gemini CLI');
    await answerDialog('Write');
    const text = await until('the file is written', () => {
      const now = readFileSync(settings(), 'utf8');
      return now.includes('exec-sessions') && now;
    });
    await host.window.page.locator('.tab', { hasText: 'settings.json' }).waitFor();
    await chooseAgent('Gemini CLI');

    expect(text).toMatch(/^\{\n {2}\/\/ Mine\.\n {2}"theme": "dark", \/\/ at night\n {2}"mcpServers": \{\n/);
    entry = (JSON.parse(text.replaceAll(/ \/\/ .*$/gm, '')) as { mcpServers: Record<string, ServerEntry> }).mcpServers[
      'exec-sessions'
    ]!;
    await expect
      .poll(() => host.window.notifications(), { timeout: TIMEOUT_MS })
      .toEqual([`Gemini CLI is connected already, by ${settings()}.`]);
    expect(await host.window.page.locator('.editor-instance').innerText()).toContain('exec-sessions');
  });
});

it('writes a file for agents of VS Code that VS Code understands', async () => {
  await chooseAgent('Visual Studio Code');
  await answerDialog('Write');
  await host.window.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();

  await host.window.runCommand('MCP: List Servers');
  await expect
    .poll(() => host.window.quickPickRows(), { timeout: TIMEOUT_MS })
    .toContainEqual(expect.stringMatching(/^exec-sessions/));
  await host.window.page.keyboard.press('Escape');
});

describe('an agent that was connected', () => {
  it('runs a command in a tab of the window that the person can type into', async () => {
    const agent = await startAgent('--attach', 'require');

    const running = await agent.exec('echo "in $PWD"; read -p "Who are you? " name; echo "hello, $name"', {
      title: 'greeting',
      yield_time_ms: 2_000,
    });
    await host.window.waitForTerminalText(/^in .*\nWho are you\?$/m);
    await host.window.screenshot('attached-agent');
    await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.sessions.focus'));
    await new SessionList(host.window.page).row('greeting', /^waiting for input · \d+ s · test$/).waitFor();
    await host.window.typeInTerminal('a person\n');
    const reply = await agent.poll(running.structured.sessionId, { yield_time_ms: TIMEOUT_MS });

    expect(running.structured.output).toContain(`in ${workspace}\n`);
    expect(reply.structured).toMatchObject({ exitCode: 0, typedByUserBytes: 9 });
    expect(reply.structured.output).toContain('hello, a person');
    expect((await terminalNames(host)).some((name) => name.startsWith('greeting'))).toBe(true);
  });

  it.each(['require', 'never'])(
    'gives programs nothing of the editor and of its own start, with --attach %s',
    async (mode) => {
      const agent = await startAgent('--attach', mode);

      const { structured } = await agent.exec("env | grep -E '^(VSCODE|ELECTRON|EXEC_SESSIONS_RUNTIME)_'; echo end");

      expect(structured.output).toBe('end\n');
    },
  );

  it('is not let in while a setting keeps agents out', async () => {
    const attached = await startAgent('--attach', 'require');
    await setAttachAgents(false);
    await until('the connection is ended', async () =>
      attached.exec('true').then(
        () => false,
        () => true,
      ),
    );

    await expect(startAgent('--attach', 'require')).rejects.toThrow();
    await setAttachAgents(true);
    await until('an agent is let in', async () => startAgent('--attach', 'require').catch(() => undefined), TIMEOUT_MS);
  });

  it('is told how its program ended when the window is reloaded, and finds the new one', async () => {
    const agent = await startAgent('--attach', 'require');
    const waiting = agent
      .exec('echo started; exec sleep 300', { yield_time_ms: 300_000 })
      .then(({ structured }) => structured.endReason, String);
    await host.window.waitForTerminalText(/^started$/m);

    await host.reloadWindow();
    const outcome = await waiting;
    const again = await until(
      'a new agent is attached',
      async () => startAgent('--attach', 'require').catch(() => undefined),
      TIMEOUT_MS,
    );

    // Whichever comes first: the end of the tab, of the sessions or of the connection.
    expect(outcome).toMatch(/^(tabClosed|shutdown)$|ended the connection/);
    expect((await again.exec('pwd')).structured.output).toBe(`${workspace}\n`);
  });
});
