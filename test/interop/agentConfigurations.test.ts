/** What the window writes for other agents, read by those agents. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type AgentId, connectionOf } from '../../src/vscode/agents/agents';
import { writeLauncher } from '../../src/vscode/agents/launcher';
import { cliPath } from '../support/builtCli';
import { tempDir } from '../support/tempDir';
import { installPackage } from './support/installPackage';

const CODEX_VERSION = '0.171.0';
const GEMINI_VERSION = '0.61.0';

interface Agent {
  /** The program behind the only command of its package. */
  readonly program: string;
  readonly folder: string;
  readonly launcher: string;
  readonly env: Record<string, string>;
}

/** Installs an agent, and gives it a home and a folder of its own with the configuration that the window writes. */
async function connect(
  agent: AgentId,
  { name, version }: { name: string; version: string },
  before: string,
): Promise<Agent> {
  const installed = await installPackage(name, version);
  const { bin } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  const [folder, home] = [tempDir(), tempDir()];
  const launcher = writeLauncher({
    folder: path.join(home, 'with space'),
    runtime: process.execPath,
    commandLine: cliPath,
    runtimeFolder: path.join(home, 'run'),
  });
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, CODEX_HOME: path.join(home, '.codex') };
  const connection = connectionOf(agent, { launcher, folder, isDefault: true, env });
  const change = connection.kind === 'file' ? connection.change(before) : undefined;
  if (connection.kind !== 'file' || change === undefined || !('text' in change))
    throw new Error('there is no file to write');
  mkdirSync(path.dirname(connection.file), { recursive: true });
  writeFileSync(connection.file, change.text);
  return { program: path.join(installed, Object.values(bin)[0]!), folder, launcher, env };
}

async function run({ program, folder, env }: Agent, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
  return stdout + stderr;
}

it('is understood by Codex, with time for the longest call', async () => {
  const agent = await connect('codex', { name: '@openai/codex', version: CODEX_VERSION }, 'model = "x" # mine\n');

  const output = await run(agent, 'mcp', 'list', '--json');

  const servers = JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1)) as unknown[];
  expect(servers).toMatchObject([
    {
      name: 'exec-sessions',
      enabled: true,
      transport: { type: 'stdio', command: agent.launcher, args: ['mcp'] },
      tool_timeout_sec: 660,
    },
  ]);
});

it('lets Gemini CLI start the server', async () => {
  expect(existsSync(cliPath)).toBe(true);
  const agent = await connect('gemini', { name: '@google/gemini-cli', version: GEMINI_VERSION }, '{\n  // mine\n}\n');

  const env = { ...agent.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const output = await run({ ...agent, env }, 'mcp', 'list');

  expect(output).toMatch(/exec-sessions: .* mcp \(stdio\) - Connected/);
});
