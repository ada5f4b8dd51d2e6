import type { Log } from '../base/log';
import { ExecServer } from '../execServer/server/execServer';
import { LocalFileSystem } from '../files/localFileSystem';
import { LocalHttpClient } from '../http/localHttpClient';
import { SessionBackend } from '../session/sessionBackend';
import type { SessionManager } from '../session/sessionManager';

/** The exec-server of a window. Its programs are sessions: whoever ends those ends them. */
export function createWindowExecServer(manager: SessionManager, log: Log): ExecServer {
  return new ExecServer({
    backend: new SessionBackend(manager),
    files: new LocalFileSystem(),
    http: new LocalHttpClient(),
    log,
  });
}
