import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, installPeer } from './installPeer.mjs';
import { McpServer } from './mcpServer.mjs';

/** Longer than any command of the benchmarks; it replies as soon as the command has ended. */
const COMMAND_TIMEOUT_MS = 120_000;
/** Time for a program to start before its session is taken for open. */
const OPEN_TIMEOUT_MS = 500;
/** Reads the end: by its own count of new lines it never gives back a line that continues one it has already given. */
const LAST_LINES_OFFSET = -3;

/** @wonderwhy-er/desktop-commander: a login shell with pipes; never tells the exit code of a command that ended at once. */
export function createDesktopCommander(surroundings) {
  let server;
  const read = async (pid) => (await server.call('read_process_output', { pid, offset: LAST_LINES_OFFSET })).text;
  return {
    name: 'desktop-commander',
    how: 'pipes, login bash',
    linesPerEcho: 1,
    get pid() {
      return server.pid;
    },
    async start() {
      const modules = await installPeer('desktop-commander');
      const folder = join(surroundings.home, '.claude-server-commander');
      mkdirSync(folder, { recursive: true });
      const config = {
        blockedCommands: [],
        allowedDirectories: [],
        defaultShell: '/bin/bash',
        telemetryEnabled: false,
        pendingWelcomeOnboarding: false,
      };
      writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
      const bin = binOf(modules, '@wonderwhy-er/desktop-commander', 'desktop-commander');
      server = new McpServer({ args: [bin, '--no-onboarding'], surroundings });
      await server.start();
    },
    async exec(command) {
      const { text, replyBytes } = await server.call('start_process', { command, timeout_ms: COMMAND_TIMEOUT_MS });
      const code = /exit code:? (-?\d+)/i.exec(text)?.[1];
      const output = /^Process started.*\nInitial output:\n([^]*)/.exec(text)?.[1] ?? '';
      return { exitCode: code === undefined ? undefined : Number(code), text: output, replyBytes };
    },
    async open(command) {
      const { text } = await server.call('start_process', { command, timeout_ms: OPEN_TIMEOUT_MS });
      return { pid: Number(/PID (\d+)/.exec(text)[1]) };
    },
    async write({ pid }, chars, isDone) {
      // Without this it waits for a prompt, and the whole of its time where there is none.
      const args = { pid, input: chars.trimEnd(), wait_for_prompt: false };
      let { text } = await server.call('interact_with_process', args);
      let calls = 1;
      for (; !isDone(text); calls++) text += await read(pid);
      return { calls };
    },
    close: ({ pid }) => server.call('force_terminate', { pid }),
    stop: () => server?.stop(),
  };
}
