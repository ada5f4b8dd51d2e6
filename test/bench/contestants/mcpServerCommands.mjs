import { binOf, installPeer } from './installPeer.mjs';
import { McpServer } from './mcpServer.mjs';

/** mcp-server-commands: one tool that runs a command line through `sh` with pipes; no sessions, no numeric exit code. */
export function createMcpServerCommands(surroundings) {
  let server;
  return {
    name: 'mcp-server-commands',
    how: 'pipes, sh',
    get pid() {
      return server.pid;
    },
    async start() {
      const modules = await installPeer('mcp-server-commands');
      server = new McpServer({ args: [binOf(modules, 'mcp-server-commands', 'mcp-server-commands')], surroundings });
      await server.start();
    },
    async exec(command) {
      const reply = await server.call('run_command', { command });
      const text = reply.blocks.find((block) => block.name === 'STDOUT')?.text ?? '';
      // Of a failed command it says only that it failed.
      return { exitCode: reply.isError ? undefined : 0, text, replyBytes: reply.replyBytes };
    },
    stop: () => server?.stop(),
  };
}
