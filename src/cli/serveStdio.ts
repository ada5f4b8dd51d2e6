import { tmpdir } from 'node:os';
import type { Log } from '../base/log';
import type { EnvironmentConfiguration } from '../environment/environmentConfiguration';
import { EnvironmentManager } from '../environment/environmentManager';
import { EnvironmentProjectDocs } from '../environment/environmentProjectDocs';
import type { CreateRemote } from '../environment/serverEnvironment';
import { createLineTransport } from '../mcp/lineTransport';
import { createMcpServer } from '../mcp/mcpServer';
import { LocalBackend } from '../process/localBackend';
import { SessionManager } from '../session/sessionManager';
import { SpoolFolder } from '../session/log/spool';
import { watchEndOfService } from './endOfService';
import type { Terminal } from './subcommand';

export interface StdioOptions {
  readonly configuration: EnvironmentConfiguration;
  readonly cwd: string;
  readonly shell: string | undefined;
  readonly isRedacting: boolean;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Serves one client until it goes away or somebody ends the server; then ends every session. Returns the exit code. */
export async function serveStdio(options: StdioOptions): Promise<number> {
  const { configuration, cwd, shell, isRedacting, log, terminal } = options;
  const spoolFolder = new SpoolFolder(tmpdir());
  const createRemote = await loadRemotes(configuration);
  const environments = new EnvironmentManager({ local: new LocalBackend(), log, configuration, createRemote });
  const manager = new SessionManager({
    spoolFolder,
    environments,
    log,
    isAttended: false,
    // Nobody changes it here, and a copy is read a good deal faster.
    hostEnv: { ...process.env },
    defaultCwd: () => cwd,
    defaultShell: () => shell,
  });
  const server = createMcpServer({
    manager,
    log,
    starter: 'cliAgent',
    isRedacting: () => isRedacting,
    projectDocs: new EnvironmentProjectDocs(environments),
  });
  const transport = createLineTransport(terminal.stdin, terminal.stdout);
  const service = watchEndOfService(terminal, log);
  transport.onclose = () => {
    // Nobody asked for it: the client broke the protocol.
    service.end({ reason: 'the connection was closed', exitCode: 1 });
  };
  await server.connect(transport);
  const { reason, exitCode } = await service.ended;
  log.info(`ending: ${reason}`);
  // Sessions first: a call that still waits is told how its session ended.
  await manager.shutDown();
  await server.close();
  environments.dispose();
  spoolFolder.dispose();
  return exitCode;
}

/** Most clients run everything on this machine, and do not wait for what leads to others. */
async function loadRemotes({ remotes }: EnvironmentConfiguration): Promise<CreateRemote | undefined> {
  if (remotes.length === 0) return undefined;
  const { createServerEnvironment } = await import('../environment/serverEnvironment');
  return createServerEnvironment;
}
