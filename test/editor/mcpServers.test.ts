/**
 * MCP servers of another machine in the chat. The machine is a network of its own, with a loopback that nobody else reaches: its
 * exec-server is spoken to over standard input and output.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliPath } from '../support/builtCli';
import { until } from '../support/until';
import { setSetting } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';
import { EnvironmentList } from './support/environmentList';

const testServerPath = fileURLToPath(new URL('../mcpServers/support/testServer.mjs', import.meta.url));
const PORT = 8_931;
const TIMEOUT_MS = 40_000;

const ADDRESS = `http://127.0.0.1:${String(PORT)}/mcp`;
const UNSHARED = ['--map-root-user', '--net', '/bin/sh', '-c'];
const node = JSON.stringify(process.execPath);
/** The exec-server comes when the other one listens, and ends with its input. That one ends with the shell. */
const SCRIPT = `
  ip link set lo up
  exec 3<&0
  sleep 3600 | ${node} ${JSON.stringify(testServerPath)} addressed http ${String(PORT)} | {
    read -r address
    exec ${node} ${JSON.stringify(cliPath)} exec-server --listen stdio <&3
  }`;
const CAVE = { id: 'cave', label: 'the cave', program: 'unshare', args: [...UNSHARED, SCRIPT] };
const SERVERS = {
  addressed: { url: ADDRESS, environment: 'cave' },
  started: { command: process.execPath, args: [testServerPath, 'started'], cwd: '/', environment: 'cave' },
};

const canUnshare = spawnSync('unshare', [...UNSHARED, 'ip link set lo up']).status === 0;

describe.skipIf(!canUnshare)('a server in another network', () => {
  let host: EditorHost;
  let list: EnvironmentList;

  beforeAll(async () => {
    host = await startEditorHost();
    list = new EnvironmentList(host.window.page);
    await host.window.chat.waitForModel(host.model.name);
    await setSetting(host, 'environments', [CAVE]);
    await setSetting(host, 'mcpServers', SERVERS);
  });

  afterAll(async () => {
    await host.stop();
  });

  it('has its tools called by the chat, though this machine does not reach it', async () => {
    await expect(fetch(ADDRESS)).rejects.toThrow();

    expect(await callEcho('addressed', 'out of the cave')).toBe('out of the cave');
    await host.window.screenshot('mcp-server');
  });

  it('is started there', async () => {
    expect(await callEcho('started', 'started in the cave')).toBe('started in the cave');
  });

  it('is below its environment in the view, with its state, and leads to what it has said', async () => {
    await host.evaluate(({ vscode }) => vscode.commands.executeCommand('execSessions.environments.focus'));

    await list.row('addressed', 'MCP server · 1 client').waitFor();
    await list.row('started', 'MCP server · 1 client').click();

    await until('its log is shown', async () => {
      const lines = await host.window.page.locator('.part.panel .view-line').allInnerTexts();
      // The lines are drawn by a code editor, which writes spaces that do not break.
      return lines.some((line) => line.replaceAll('\u00a0', ' ').endsWith('stderr: the test server has started'));
    });
    await host.window.screenshot('mcp-server-log');
  });

  it('says what is wrong with one that does not answer', async () => {
    const servers = { ...SERVERS, closed: { url: 'http://127.0.0.1:1/mcp', environment: 'cave' } };
    await setSetting(host, 'mcpServers', servers);
    await list.row('closed', 'MCP server · not in use').waitFor();

    await host.window.chat.send('Hello.');

    await list.row('closed', /MCP server · failed: .*ECONNREFUSED/).waitFor({ timeout: TIMEOUT_MS });
  });

  /** The model calls the tool of this server, which VS Code allows since it only reads. Returns the text of the reply. */
  async function callEcho(server: string, text: string): Promise<string> {
    const tool = await findEcho(server);
    const asked = host.model.requests.length;
    await host.window.chat.send(`CALL ${tool} ${JSON.stringify({ text })}`);
    return until(
      'the model has the reply',
      () => host.model.requests.slice(asked).find(({ lastText }) => lastText === text)?.lastText,
      TIMEOUT_MS,
    );
  }

  /** Under the name that VS Code gives it, which tells where it is. The servers start with the first message. */
  async function findEcho(server: string): Promise<string> {
    await host.window.chat.send('Hello.');
    const isEcho = new RegExp(`^mcp_${server}_on_.*_echo$`);
    const offered = (): string[] => host.model.requests.flatMap(({ tools }) => tools);
    return until('the tool is offered', () => offered().find((name) => isEcho.test(name)), TIMEOUT_MS);
  }
});
