import type { Log } from '../base/log';
import { messageOf } from '../base/messageOf';
import { CapabilityToken } from '../execServer/server/capabilityToken';
import { ExecServer } from '../execServer/server/execServer';
import { listenForWebSockets, type WebSocketListener } from '../execServer/server/webSocketListener';
import { StreamTransport } from '../execServer/transports/streamTransport';
import { LocalFileSystem } from '../files/localFileSystem';
import { LocalHttpClient } from '../http/localHttpClient';
import { LocalBackend } from '../process/localBackend';
import { watchEndOfService } from './endOfService';
import type { Terminal } from './subcommand';
import { UsageError } from './usage';

export type ListenAddress =
  { readonly kind: 'stdio' } | { readonly kind: 'webSocket'; readonly host: string; readonly port: number };

/** What clients have to show: a token, or one with that SHA-256 in hexadecimal digits. */
export type TokenOption = { readonly text: string } | { readonly sha256: string };

export interface RunExecServerOptions {
  readonly listen: ListenAddress;
  readonly token: TokenOption | undefined;
  readonly concurrentRequests: number | undefined;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Serves until a signal comes, or with stdio until the client goes away; then ends all programs. Returns the exit code. */
export async function runExecServer(options: RunExecServerOptions): Promise<number> {
  const { listen, log, terminal, concurrentRequests } = options;
  const { stdin, stdout } = terminal;
  const server = new ExecServer({
    backend: new LocalBackend(),
    files: new LocalFileSystem(),
    http: new LocalHttpClient(),
    log,
    ...(concurrentRequests !== undefined && { concurrentRequests }),
  });
  const service = watchEndOfService(terminal, log);
  let listener: WebSocketListener | undefined;
  if (listen.kind === 'webSocket') {
    listener = await openListener(server, { ...options, listen });
    stdout.write(`${listener.url}\n`);
  } else {
    const transport = new StreamTransport('the client on stdio', { input: stdin, output: stdout });
    transport.onDidClose((reason) => {
      service.end({ reason, exitCode: 0 });
    });
    server.accept(transport);
  }
  const { reason, exitCode } = await service.ended;
  log.info(`ending: ${reason}`);
  // Programs first, so that clients still learn how they ended.
  await server.shutDown();
  await listener?.close();
  return exitCode;
}

type WebSocketAddress = Extract<ListenAddress, { readonly kind: 'webSocket' }>;

async function openListener(
  server: ExecServer,
  { listen, token, log }: RunExecServerOptions & { readonly listen: WebSocketAddress },
): Promise<WebSocketListener> {
  try {
    return await listenForWebSockets({ server, log, host: listen.host, port: listen.port, token: tokenOf(token) });
  } catch (error) {
    throw new UsageError(`--listen: ${messageOf(error)}`);
  }
}

function tokenOf(option: TokenOption | undefined): CapabilityToken | undefined {
  if (option === undefined) return undefined;
  return 'text' in option ? CapabilityToken.ofText(option.text) : CapabilityToken.ofSha256(option.sha256);
}
