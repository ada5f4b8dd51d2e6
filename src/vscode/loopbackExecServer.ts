import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { CapabilityToken } from '../execServer/server/capabilityToken';
import type { ExecServer } from '../execServer/server/execServer';
import { listenForWebSockets, type WebSocketListener } from '../execServer/server/webSocketListener';
import { createToken } from '../mcp/accessToken';

const LOOPBACK = '127.0.0.1';

/** How a client reaches the server. */
export interface ExecServerConnection {
  readonly url: string;
  /** Never log it. */
  readonly token: string;
}

interface Listening {
  readonly connection: ExecServerConnection;
  readonly listener: WebSocketListener;
}

export interface LoopbackExecServerOptions {
  readonly server: ExecServer;
  readonly log: Log;
  /** Whether the user wants it. Asked anew at each `update`. */
  readonly isWanted: () => boolean;
}

/**
 * The exec-server of the window on a free port of this machine, for clients that cannot start a program to get to it. Each time it
 * is opened it has another token. What its clients have started is accounted for by the server, also after it is closed.
 */
export class LoopbackExecServer implements Disposable {
  /** Changes follow one another. */
  private listening: Promise<Listening | undefined> = Promise.resolve(undefined);
  private isDisposed = false;

  constructor(private readonly options: LoopbackExecServerOptions) {}

  /** Opens or closes it, as the user wants it now. Resolves with how it is reached; `undefined` where it is not. */
  async update(): Promise<ExecServerConnection | undefined> {
    this.listening = this.listening.then((listening) => this.toggle(listening));
    return (await this.listening)?.connection;
  }

  /** Drops all connections, and stays closed. */
  async close(): Promise<void> {
    this.isDisposed = true;
    await this.update();
  }

  dispose(): void {
    void this.close();
  }

  private async toggle(listening: Listening | undefined): Promise<Listening | undefined> {
    if (!this.isDisposed && this.options.isWanted()) return listening ?? this.open();
    await listening?.listener.close();
    return undefined;
  }

  private async open(): Promise<Listening | undefined> {
    const { server, log } = this.options;
    const token = createToken();
    try {
      const listener = await listenForWebSockets({
        server,
        log,
        host: LOOPBACK,
        port: 0,
        token: CapabilityToken.ofText(token),
      });
      log.info(`The exec-server of this window listens on ${listener.url}`);
      return { connection: { url: listener.url, token }, listener };
    } catch (error) {
      log.error('The exec-server of this window could not be opened', error);
      return undefined;
    }
  }
}
