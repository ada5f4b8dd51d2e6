import { type Attachment } from '../attach/attachToWindow';
import { ExecServerRelay } from '../attach/execServerRelay';
import type { Log } from '../base/log';
import { StreamTransport } from '../execServer/transports/streamTransport';
import { watchEndOfService } from './endOfService';
import type { Terminal } from './subcommand';

export interface AttachedExecServerOptions {
  readonly attached: Extract<Attachment, { readonly kind: 'attached' }>;
  /** Looks for a window again. */
  readonly attach: () => Promise<Attachment>;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Serves one client in the window that there is, until the client goes away or a signal comes. Returns the exit code. */
export async function serveAttachedExecServer({ terminal, ...options }: AttachedExecServerOptions): Promise<number> {
  const service = watchEndOfService(terminal, options.log);
  const client = new StreamTransport('the client on stdio', { input: terminal.stdin, output: terminal.stdout });
  const relay = new ExecServerRelay({ ...options, client });
  const { reason, exitCode } = await service.ended;
  options.log.info(`ending: ${reason}`);
  relay.dispose();
  client.close();
  return exitCode;
}
