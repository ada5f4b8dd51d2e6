import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import type { Log } from '../base/log';

/** The log port over an output channel of the window, which has its own level and time stamps. */
export function createChannelLog(channel: vscode.LogOutputChannel): Log {
  return {
    trace: (message) => channel.trace(message),
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => channel.error(error === undefined ? message : `${message}: ${inspect(error)}`),
  };
}
