import { onTestFinished } from 'vitest';
import type { Log } from '../../src/base/log';
import { nullLog } from './nullLog';
import { startWindowHost, type WindowHost } from '../../src/attach/windowHost';
import type { HostedServers } from '../../src/mcp/hostedServers';
import { createWindowExecServer } from '../../src/vscode/windowExecServer';
import type { SessionManager } from '../../src/session/sessionManager';
import { createManager } from './startSession';

export interface Window {
  readonly host: WindowHost;
  readonly manager: SessionManager;
}

export interface WindowOptions {
  /** Where windows leave their records; see {@link windowEnvironment}. */
  readonly env: NodeJS.ProcessEnv;
  readonly folders: readonly string[];
  readonly manager?: SessionManager;
  readonly mcpServers?: HostedServers;
  readonly log?: Log;
}

const NO_SERVERS: HostedServers = { list: () => [], find: () => undefined };

/** What a window does for command lines, without the window. */
export async function startWindow({
  manager = createManager(),
  mcpServers = NO_SERVERS,
  log = nullLog,
  ...rest
}: WindowOptions): Promise<Window> {
  const execServer = createWindowExecServer(manager, log);
  onTestFinished(() => execServer.shutDown());
  const host = await startWindowHost({ manager, mcpServers, execServer, log, version: '1.2.3', ...rest });
  onTestFinished(() => host.close());
  return { host, manager };
}

/** Variables with which a window and a command line find only each other. */
export function windowEnvironment(runtimeFolder: string): Record<string, string> {
  return { EXEC_SESSIONS_RUNTIME_DIR: runtimeFolder };
}
