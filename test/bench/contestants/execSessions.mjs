import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repoRoot } from '../support/surroundings.mjs';
import { McpServer } from './mcpServer.mjs';

export const builtCli = join(repoRoot, 'dist', 'cli.js');
/** Longer than any command of the benchmarks: a reply comes when the command has ended, not at this deadline. */
const COMMAND_YIELD_MS = 120_000;
/** More tokens than any output of the benchmarks has bytes, so that nothing is capped and every byte can be compared. */
const WHOLE_OUTPUT_TOKENS = 4_000_000;
/** What an agent that gives no time waits for at most after a write: the default of `write_stdin`. */
const WRITE_YIELD_MS = 250;

/** A warning when the build that is about to be measured is older than the sources, undefined otherwise. */
export function staleBuildWarning() {
  if (!existsSync(builtCli)) return undefined;
  const sources = join(repoRoot, 'src');
  const builtAt = statSync(builtCli).mtimeMs;
  const newer = readdirSync(sources, { recursive: true }).find(
    (name) => name.endsWith('.ts') && statSync(join(sources, name)).mtimeMs > builtAt,
  );
  return newer && `Warning: dist/cli.js is older than src/${newer}: run npm run build to measure the present sources.\n`;
}

/** This project: `exec-sessions mcp` on stdio, without a window. */
export function createExecSessions(surroundings, { name = 'exec-sessions', cli = builtCli } = {}) {
  let server;

  async function call(tool, args) {
    const reply = await server.call(tool, args);
    if (reply.isError) throw new Error(reply.text.split('\n')[0]);
    return reply;
  }

  return {
    name,
    how: 'PTY, bash',
    get pid() {
      return server.pid;
    },
    async start() {
      if (!existsSync(cli)) throw new Error(`${relative(repoRoot, cli)} is missing: run npm run build`);
      server = new McpServer({ args: [cli, 'mcp', '--attach', 'never'], surroundings });
      await server.start();
    },
    async exec(command, { output = 'reply' } = {}) {
      const reply = await call('exec_command', {
        cmd: command,
        login: false,
        yield_time_ms: COMMAND_YIELD_MS,
        ...(output === 'whole' ? { max_output_tokens: WHOLE_OUTPUT_TOKENS } : {}),
      });
      return {
        exitCode: reply.structured.exitCode,
        text: reply.structured.output,
        totalBytes: reply.structured.totalBytes,
        omittedBytes: reply.structured.omitted.bytes,
        replyBytes: reply.replyBytes,
      };
    },
    async open(command) {
      const args = { cmd: command, login: false, tty: true, yield_time_ms: WRITE_YIELD_MS };
      const { structured } = await call('exec_command', args);
      return { sessionId: structured.sessionId };
    },
    async write({ sessionId }, chars, isDone) {
      const write = (input) => call('write_stdin', { session_id: sessionId, chars: input, yield_time_ms: WRITE_YIELD_MS });
      let { text } = await write(chars);
      let calls = 1;
      for (; !isDone(text); calls++) text += (await write('')).text;
      return { calls };
    },
    close: ({ sessionId }) => call('terminate_session', { session_id: sessionId }),
    stop: () => server?.stop(),
  };
}
