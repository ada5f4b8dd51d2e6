import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { EnvironmentManager } from '../../environment/environmentManager';
import { McpServers } from '../../mcpServers/mcpServers';
import { type ReadServers, readServers } from '../../mcpServers/serverConfiguration';
import { LocalBackend } from '../../process/localBackend';
import { SETTINGS, SETTINGS_SECTION } from '../contributions';
import { McpServerChannels } from './mcpServerChannels';

const KEY = 'mcpServers' satisfies keyof typeof SETTINGS;
const SETTING = `${SETTINGS_SECTION}.${KEY}`;

export interface ReachedServersOptions {
  readonly environments: EnvironmentManager;
  readonly log: Log;
  /** Where servers of this machine start that name no folder. */
  readonly localCwd: () => string;
}

/** The MCP servers of the setting, which follow it, and their logs. */
export class ReachedServers implements Disposable {
  readonly channels = new McpServerChannels();
  readonly servers: McpServers;
  private readonly following: vscode.Disposable;

  constructor({ environments, log, localCwd }: ReachedServersOptions) {
    this.servers = new McpServers({
      environments,
      log,
      localCwd,
      // Not the backend of sessions: those may outlive the window, and a server has no use then.
      local: new LocalBackend(),
      env: process.env,
      createLog: (name) => this.channels.create(name),
    });
    this.servers.configure(readSetting());
    this.following = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTING)) this.servers.configure(readSetting());
    });
  }

  /** Ends the servers that run; resolves when they are gone. */
  async close(): Promise<void> {
    this.dispose();
    await this.servers.close();
  }

  dispose(): void {
    this.following.dispose();
  }
}

function readSetting(): ReadServers {
  return readServers(vscode.workspace.getConfiguration(SETTINGS_SECTION).get<unknown>(KEY, SETTINGS.mcpServers), SETTING);
}
