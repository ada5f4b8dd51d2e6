import type { ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { ExecBackend } from '../../process/execProcess';
import type { Session } from '../../session/session';
import type { SessionManager } from '../../session/sessionManager';
import { CLI_FILE } from '../contributions';
import { persistSessionsSetting } from '../settings';
import { launchSessionHost } from './launchSessionHost';
import { persistentBackend } from './persistentBackend';
import { restoreSessions } from './restoreSessions';
import { rememberRunning } from './runningSessions';
import { SessionHost } from './sessionHost';

/** What carries sessions over a reload of the window: in a host of their own, or else in memory that they were there. */
export class Persistence implements Disposable {
  private readonly store = new DisposableStore();
  private readonly host: SessionHost;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: Log,
  ) {
    const launch = (): ReturnType<typeof launchSessionHost> => launchSessionHost(context.asAbsolutePath(CLI_FILE));
    this.host = new SessionHost({ state: context.workspaceState, log, launch });
  }

  /** Runs programs where the user has it: in the host, or by `local`. */
  backend(local: ExecBackend): ExecBackend {
    return persistentBackend({ local, host: this.host, isPersistent: persistSessionsSetting });
  }

  /** Accounts for what ran before the reload, and from then on for what runs. Returns the sessions that go on. */
  async restore(manager: SessionManager): Promise<readonly Session[]> {
    const { workspaceState: state } = this.context;
    const restored = await restoreSessions({ manager, host: this.host, state, log: this.log });
    this.store.add(rememberRunning(manager, state));
    return restored;
  }

  /** To be called before anything is ended: what ends with the window is remembered as running. */
  stopRemembering(): void {
    this.store.dispose();
  }

  /** Leaves the host to the next window. */
  dispose(): void {
    this.stopRemembering();
    this.host.dispose();
  }
}
