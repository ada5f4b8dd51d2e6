/**
 * Serves the tools and the exec-server to command lines that attach to a window: on a socket that only its user can reach, to clients that have read
 * the token from the window's record. Each client has a connection of its own; sessions are shared. Knows no window.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { ExecServer } from '../execServer/server/execServer';
import { StreamTransport } from '../execServer/transports/streamTransport';
import { createToken, TokenCheck } from '../mcp/accessToken';
import type { HostedServers } from '../mcp/hostedServers';
import { createLineTransport } from '../mcp/lineTransport';
import { createMcpServer, type McpServer, type McpServerOptions } from '../mcp/mcpServer';
import { type Greeting, readGreeting, writeAnswer } from './greeting';
import { createRuntimeFolder } from './runtimeFolder';
import { ATTACH_PROTOCOL, RECORD_EXTENSION, socketPath, type WindowRecord } from './windowRecord';

export interface WindowHostOptions extends Omit<McpServerOptions, 'starter' | 'defaults'> {
  /** Of the product. */
  readonly version: string;
  /** The folders that are open in the window. */
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Other MCP servers that command lines may ask for. */
  readonly mcpServers: HostedServers;
  /** Runs programs for clients of its protocol. The caller ends it. */
  readonly execServer: ExecServer;
}

/** Where the system cuts longer names of sockets, in bytes, with room for the NUL: macOS has 104, Linux 108. */
const MAX_SOCKET_PATH_BYTES = 103;
const OWNER_ONLY_FILE = 0o600;
/** Few, because the name of a socket must be short; the process id tells windows apart already. */
const NAME_BYTES = 4;
/** Far more command lines than anyone runs at a time. */
const MAX_CLIENTS = 64;
/** A client on the same machine takes its last reply in far less, and a window that ends has not much more. */
const CLOSE_GRACE_MS = 500;

/** Starts to listen, and says so in a record. Rejects where no folder is safe or no socket can be had. */
export async function startWindowHost(options: WindowHostOptions): Promise<WindowHost> {
  const folder = createRuntimeFolder(options.env);
  const name = `${process.pid}-${randomBytes(NAME_BYTES).toString('hex')}`;
  const socket = socketPath(folder, name);
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH_BYTES) {
    throw new Error(`${socket} is too long for the name of a socket: set TMPDIR or XDG_RUNTIME_DIR to a shorter folder.`);
  }
  const server = createServer();
  await listen(server, socket);
  return new WindowHost(server, path.join(folder, `${name}${RECORD_EXTENSION}`), { ...options, socket });
}

export class WindowHost {
  private readonly clients = new Set<Socket>();
  private readonly servers = new Set<McpServer>();
  private readonly token = createToken();
  private readonly tokenCheck = new TokenCheck(this.token);

  constructor(
    private readonly server: Server,
    private readonly recordFile: string,
    private readonly options: WindowHostOptions & { readonly socket: string },
  ) {
    server.maxConnections = MAX_CLIENTS;
    server.on('connection', (socket) => {
      this.clients.add(socket);
      socket.once('close', () => this.clients.delete(socket));
      // The `close` that follows says all there is to say.
      socket.on('error', () => undefined);
      this.serve(socket).catch((error: unknown) => {
        options.log.error('A command line could not be attached', error);
        socket.destroy();
      });
    });
    this.update(options.folders);
  }

  /** Where the record lies. */
  get folder(): string {
    return path.dirname(this.recordFile);
  }

  /**
   * Says which folders are open now, and that the person is using this window: of several on one folder, the one used last is
   * the one to attach to.
   */
  update(folders: readonly string[]): void {
    const { socket, version, log } = this.options;
    const record: WindowRecord = {
      protocol: ATTACH_PROTOCOL,
      pid: process.pid,
      socket,
      folders: folders.flatMap(realFolder),
      version,
      token: this.token,
    };
    const draft = `${this.recordFile}.new`;
    try {
      rmSync(draft, { force: true });
      writeFileSync(draft, JSON.stringify(record), { mode: OWNER_ONLY_FILE, flag: 'wx' });
      // Put in place as a whole: nobody reads half a record.
      renameSync(draft, this.recordFile);
    } catch (error) {
      log.error('Command lines cannot find this window', error);
    }
  }

  /** Takes the record away, ends every connection and stops listening. Sessions go on. */
  async close(): Promise<void> {
    rmSync(this.recordFile, { force: true });
    await Promise.all([...this.servers].map((server) => server.close()));
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      // What was replied goes out first; a client that does not read it is not waited for.
      for (const socket of this.clients) socket.end();
      setTimeout(() => {
        for (const socket of this.clients) socket.destroy();
      }, CLOSE_GRACE_MS).unref();
    });
  }

  private async serve(socket: Socket): Promise<void> {
    const greeting = await readGreeting(socket);
    if (socket.destroyed) return;
    if (greeting === undefined || !this.tokenCheck.accepts(greeting.token)) {
      this.options.log.warn('A connection to the socket of this window was refused: it did not send the right token.');
      writeAnswer(socket, { kind: 'refused', message: 'the token is missing or wrong' });
      socket.destroySoon();
      return;
    }
    const { service, cwd, server: name = '' } = greeting;
    const hosted = service === 'mcpServer' ? this.options.mcpServers.find(name) : undefined;
    if (service === 'mcpServer' && hosted === undefined) {
      writeAnswer(socket, { kind: 'refused', message: describeMissing(name, this.options.mcpServers) });
      socket.destroySoon();
      return;
    }
    writeAnswer(socket, { kind: 'accepted', service });
    this.options.log.info(`A command line was attached to ${service}${name === '' ? '' : ` ${name}`}, for ${cwd}`);
    if (service === 'execServer') {
      this.options.execServer.accept(new StreamTransport('an attached command line', { input: socket, output: socket }));
    } else {
      await this.serveMcp(socket, hosted?.createBridge() ?? this.createServerFor(greeting));
    }
    socket.resume();
  }

  private async serveMcp(socket: Socket, server: McpServer): Promise<void> {
    const transport = createLineTransport(socket, socket);
    transport.onclose = () => {
      socket.destroySoon();
    };
    await server.connect(transport);
    this.servers.add(server);
    socket.once('close', () => {
      this.servers.delete(server);
      void server.close();
    });
  }

  private createServerFor({ cwd, shell, isRedacting }: Greeting): McpServer {
    const { manager } = this.options;
    return createMcpServer({
      ...this.options,
      starter: 'cliAgent',
      isRedacting: () => isRedacting || (this.options.isRedacting?.() ?? false),
      defaults: {
        defaultCwd: cwd,
        get defaultShell() {
          return shell ?? manager.defaultShell;
        },
      },
    });
  }
}

function describeMissing(name: string, servers: HostedServers): string {
  const names = servers.list().map((server) => server.name);
  return `it reaches no MCP server ${JSON.stringify(name)}; there ${names.length === 0 ? 'are none' : `is ${names.join(', ')}`}`;
}

/** None for a folder that is not there. */
function realFolder(folder: string): string[] {
  try {
    return [realpathSync.native(folder)];
  } catch {
    return [];
  }
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      if (process.platform !== 'win32') chmodSync(socket, OWNER_ONLY_FILE);
      resolve();
    });
  });
}
