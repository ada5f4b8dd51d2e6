import { binOf, installPeer } from './installPeer.mjs';
import { McpServer, parseJson } from './mcpServer.mjs';

/** Longer than any command of the benchmarks. */
const COMMAND_TIMEOUT_S = 120;
/** The most that its schema takes: the benchmarks ask for whole outputs. */
const MAX_OUTPUT_BYTES = 100 * 1024 * 1024;
/** The most that its reading tool takes at once. */
const MAX_READ_BYTES = 10 * 1024 * 1024;
/** Time to let the shell of a new terminal start the command. */
const OPEN_DELAY_MS = 500;

/** @mako10k/mcp-shell-server: commands with pipes (`shell_execute`), sessions typed into a bash in a PTY (`terminal_operate`). */
export function createMcpShellServer(surroundings) {
  let server;
  const operate = async (args) => parseJson((await server.call('terminal_operate', args)).text) ?? {};

  /** Its replies hold the first 1000 characters; the rest is in a file that another tool reads. */
  async function readWhole(result) {
    if (result?.output_id === undefined) return result?.stdout;
    const reply = await server.call('read_execution_output', { output_id: result.output_id, size: MAX_READ_BYTES });
    return parseJson(reply.text)?.content;
  }

  return {
    name: 'mcp-shell-server',
    how: 'pipes, bash; sessions: PTY',
    get pid() {
      return server.pid;
    },
    async start() {
      const modules = await installPeer('mcp-shell-server');
      const env = {
        MCP_SHELL_SECURITY_MODE: 'permissive',
        MCP_SHELL_ELICITATION: 'false',
        MCP_SHELL_ENHANCED_MODE: 'false',
        MCP_SHELL_LLM_EVALUATION: 'false',
        MCP_SHELL_DEFAULT_WORKDIR: surroundings.work,
        MCP_SHELL_ALLOWED_WORKDIRS: surroundings.work,
        BACKOFFICE_ENABLED: 'false',
      };
      const args = [binOf(modules, '@mako10k/mcp-shell-server', 'mcp-shell-server')];
      server = new McpServer({ args, env, surroundings });
      await server.start();
    },
    async exec(command, { output = 'reply' } = {}) {
      const reply = await server.call('shell_execute', {
        command,
        execution_mode: 'foreground',
        timeout_seconds: COMMAND_TIMEOUT_S,
        max_output_size: MAX_OUTPUT_BYTES,
      });
      const result = parseJson(reply.text);
      const text = output === 'whole' ? await readWhole(result) : result?.stdout;
      return { exitCode: result?.exit_code, text: text ?? '', replyBytes: reply.replyBytes };
    },
    async open(command) {
      const { terminal_id: id } = await operate({
        command,
        working_directory: surroundings.work,
        output_delay_ms: OPEN_DELAY_MS,
      });
      return { id };
    },
    async write({ id }, chars, isDone) {
      // It presses Enter itself and, unless told otherwise, looks at the output after a fixed delay of its own.
      let text = (await operate({ terminal_id: id, input: chars.trimEnd(), execute: true, get_output: true })).output ?? '';
      let calls = 1;
      for (; !isDone(text); calls++)
        text += (await operate({ terminal_id: id, get_output: true, output_delay_ms: 0 })).output ?? '';
      return { calls };
    },
    close: ({ id }) => server.call('terminal_close', { terminal_id: id }),
    stop: () => server?.stop(),
  };
}
