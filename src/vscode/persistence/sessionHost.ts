import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { messageOf } from '../../base/messageOf';
import { ExecServerClient } from '../../execServer/client/execServerClient';
import { RemoteBackend, type TakenUpProcess } from '../../execServer/client/remoteBackend';
import { socketDialer } from '../../execServer/transports/socketDialer';
import type { ExecBackend, ProcessSpec, StartResult } from '../../process/execProcess';
import type { LaunchedHost } from './launchSessionHost';

/** Where a window finds its host again after a reload. */
interface HostAddress extends LaunchedHost {
  readonly sessionId: string;
}

const STATE_KEY = 'sessionHost';
/** On the same machine a connection comes at once, or the host is gone. */
const RECOVERY_DEADLINE_MS = 2_000;

export interface SessionHostOptions {
  /** Of the workspace: another window has another host. */
  readonly state: Memento;
  readonly log: Log;
  readonly launch: () => Promise<LaunchedHost>;
}

interface Connected {
  readonly client: ExecServerClient;
  readonly backend: RemoteBackend;
}

/** Runs programs in a process of their own, started when the first is wanted, which outlives this window. */
export class SessionHost implements ExecBackend, Disposable {
  private connected: Promise<Connected> | undefined;

  constructor(private readonly options: SessionHostOptions) {}

  async start(spec: ProcessSpec): Promise<StartResult> {
    this.connected ??= this.launch();
    try {
      const { backend } = await this.connected;
      return await backend.start(spec);
    } catch (error) {
      this.connected = undefined;
      const message = `The session host could not be started: ${messageOf(error)}. Turn the setting execSessions.persistSessions off to run without it.`;
      return { kind: 'failed', failure: { kind: 'hostFailed', message } };
    }
  }

  /** What the window before this one left running. Nothing where there was no host, or it is gone. */
  async takeUp(): Promise<readonly TakenUpProcess[]> {
    const address = this.options.state.get<HostAddress>(STATE_KEY);
    if (address === undefined) return [];
    const connected = this.connect(address.socket, address.sessionId);
    try {
      const processes = await connected.backend.takeUp();
      this.connected = Promise.resolve(connected);
      return processes;
    } catch (error) {
      this.options.log.info(`the session host of the window before is gone: ${messageOf(error)}`);
      connected.client.dispose();
      await this.options.state.update(STATE_KEY, undefined);
      return [];
    }
  }

  /** Leaves the host with what runs there, for the next window. */
  dispose(): void {
    this.connected?.then(
      ({ client }) => client.dispose(),
      () => undefined,
    );
  }

  private async launch(): Promise<Connected> {
    const launched = await this.options.launch();
    this.options.log.info(`session host started, pid ${launched.pid}`);
    const connected = this.connect(launched.socket, undefined);
    const { sessionId } = await connected.client.attach();
    const address: HostAddress = { ...launched, sessionId };
    await this.options.state.update(STATE_KEY, address);
    return connected;
  }

  private connect(socket: string, resumeSessionId: string | undefined): Connected {
    const { log } = this.options;
    const client = new ExecServerClient({
      dialer: socketDialer(socket),
      log,
      resumeSessionId,
      outlivesUs: true,
      recoveryDeadlineMs: RECOVERY_DEADLINE_MS,
    });
    client.onDidChangeState(({ kind }) => {
      // The next start launches another one.
      if (kind === 'disconnected') this.connected = undefined;
    });
    return { client, backend: new RemoteBackend(client) };
  }
}
