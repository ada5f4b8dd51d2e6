import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { createChannelLog } from '../channelLog';

/** An output channel for each MCP server that is configured: what becomes of it, and what it says itself. */
export class McpServerChannels {
  private readonly channels = new Map<string, vscode.LogOutputChannel>();

  create(name: string): Log & Disposable {
    const channel = vscode.window.createOutputChannel(`Exec Sessions: MCP ${name}`, { log: true });
    this.channels.set(name, channel);
    return {
      ...createChannelLog(channel),
      dispose: () => {
        if (this.channels.get(name) === channel) this.channels.delete(name);
        channel.dispose();
      },
    };
  }

  show(name: string): void {
    this.channels.get(name)?.show();
  }
}
