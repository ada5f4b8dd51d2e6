import { tmpdir } from 'node:os';
import type { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log';
import { createMcpServer } from '../mcp/mcpServer';
import { MAX_MESSAGE_BYTES } from '../mcp/limits';
import { LocalBackend } from '../process/localBackend';
import { SessionManager } from '../session/sessionManager';
import { SpoolFolder } from '../session/log/spool';
import { endOfService } from './endOfService';
import type { Terminal } from './subcommand';

export interface StdioOptions {
  readonly cwd: string;
  readonly shell: string | undefined;
  readonly isRedacting: boolean;
  readonly log: Log;
  readonly terminal: Terminal;
}

/** Serves one client until it goes away or somebody ends the server; then ends every session. Returns the exit code. */
export async function serveStdio({ cwd, shell, isRedacting, log, terminal }: StdioOptions): Promise<number> {
  const spoolFolder = new SpoolFolder(tmpdir());
  const manager = new SessionManager({
    spoolFolder,
    backend: new LocalBackend(),
    log,
    isAttended: false,
    defaultCwd: () => cwd,
    defaultShell: () => shell,
  });
  const server = createMcpServer({ manager, log, starter: 'cliAgent', isRedacting: () => isRedacting });
  const transport = new StdioServerTransport(terminal.stdin, terminal.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const end = endOfService(terminal, transport, log);
  answerBrokenLines(transport, terminal.stdout);
  await server.connect(transport);
  const { reason, exitCode } = await end;
  log.info(`ending: ${reason}`);
  // Sessions first: a call that still waits is told how its session ended.
  await manager.shutDown();
  await server.close();
  spoolFolder.dispose();
  return exitCode;
}

/** What is no message has no id to answer to: the answer is an error without one. */
function answerBrokenLines(transport: StdioServerTransport, stdout: Writable): void {
  transport.onerror = (error) => {
    const answer =
      error instanceof SyntaxError
        ? { code: ErrorCode.ParseError, message: 'Parse error: the line is not JSON' }
        : { code: ErrorCode.InvalidRequest, message: 'Invalid request: the line is not a JSON-RPC message' };
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: answer })}\n`);
  };
}
