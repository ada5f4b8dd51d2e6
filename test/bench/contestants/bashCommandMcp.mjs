import { binOf, installPeer } from './installPeer.mjs';
import { McpServer } from './mcpServer.mjs';

/** Longer than any command of the benchmarks. */
const COMMAND_TIMEOUT_S = 120;

/** bash-command-mcp: runs a command line through bash with pipes; its background jobs take no input, so no sessions. */
export function createBashCommandMcp(surroundings) {
  let server;
  return {
    name: 'bash-command-mcp',
    how: 'pipes, bash',
    get pid() {
      return server.pid;
    },
    async start() {
      const modules = await installPeer('bash-command-mcp');
      const args = [binOf(modules, 'bash-command-mcp', 'bash-command-mcp')];
      server = new McpServer({ args, env: { OTEL_SDK_DISABLED: 'true' }, surroundings });
      await server.start();
    },
    async exec(command) {
      const { text, replyBytes } = await server.call('run', { command, timeoutSeconds: COMMAND_TIMEOUT_S });
      const [, code, output] = /^EXIT_CODE: (-?\d+)(?:\nSTDOUT:\n([^]*))?/.exec(text) ?? [];
      return { exitCode: code === undefined ? undefined : Number(code), text: output ?? '', replyBytes };
    },
    stop: () => server?.stop(),
  };
}
