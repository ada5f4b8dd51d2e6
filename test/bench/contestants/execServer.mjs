import { pathToFileURL } from 'node:url';
import { ServerProcess } from '../support/serverProcess.mjs';
import { WebSocketServerProcess } from '../support/webSocketServerProcess.mjs';

const transports = {
  stdio: { listen: 'stdio', Server: ServerProcess },
  websocket: { listen: 'ws://127.0.0.1:0', Server: WebSocketServerProcess },
};

/**
 * A server of the exec-server protocol: a PTY whose output is pushed as notifications; no MCP, no rendering, no cap. `transport` is
 * `stdio` or `websocket`; `program` gives the `command` and the `args` before the subcommand.
 */
export function createExecServer(surroundings, { name, transport, program }) {
  const { listen, Server } = transports[transport];
  let server;
  let started = 0;
  const processes = new Map();

  function onNotification(method, params) {
    const process = processes.get(params.processId);
    if (!process) return;
    if (method === 'process/output') process.onOutput(Buffer.from(params.chunk, 'base64'));
    // Either of these two may come first.
    else if (method === 'process/exited') process.exitCode = params.exitCode;
    else if (method === 'process/closed') process.isClosed = true;
    if (process.isClosed && process.exitCode !== undefined) process.onEnd?.();
  }

  async function launch(command) {
    const processId = `p${++started}`;
    const process = { processId, onOutput: () => {} };
    // Registered before the request: output may arrive before its response.
    processes.set(processId, process);
    process.launched = server.request('process/start', {
      processId,
      argv: ['/bin/bash', '-c', command],
      cwd: pathToFileURL(surroundings.work).href,
      env: surroundings.env,
      tty: true,
      arg0: null,
    });
    return process;
  }

  return {
    name: `${name} (${transport})`,
    how: 'PTY, bash',
    get pid() {
      return server.pid;
    },
    async start() {
      const { command, args } = await program();
      const env = { ...surroundings.env, CODEX_HOME: surroundings.home };
      server = new Server({ command, args: [...args, 'exec-server', '--listen', listen], env, cwd: surroundings.work });
      server.onNotification = onNotification;
      await server.request('initialize', { clientName: 'bench' });
      server.notify('initialized', {});
    },
    async exec(command, { output = 'reply' } = {}) {
      const before = server.receivedBytes;
      const process = await launch(command);
      const chunks = [];
      let totalBytes = 0;
      process.onOutput = (chunk) => {
        totalBytes += chunk.length;
        if (output !== 'none') chunks.push(chunk);
      };
      const ended = new Promise((resolve) => {
        process.onEnd = resolve;
      });
      await process.launched;
      await Promise.race([ended, server.ended]);
      processes.delete(process.processId);
      const text = Buffer.concat(chunks).toString();
      return { exitCode: process.exitCode, text, totalBytes, replyBytes: server.receivedBytes - before };
    },
    async open(command) {
      const process = await launch(command);
      await process.launched;
      return process;
    },
    async write(process, chars, isDone) {
      let text = '';
      const answered = new Promise((resolve) => {
        process.onOutput = (chunk) => {
          text += chunk;
          if (isDone(text)) resolve();
        };
      });
      const chunk = Buffer.from(chars).toString('base64');
      await server.request('process/write', { processId: process.processId, writeId: `w${++started}`, chunk });
      await Promise.race([answered, server.ended]);
      return { calls: 1 };
    },
    close: ({ processId }) => server.request('process/terminate', { processId }),
    stop: () => server?.stop(),
  };
}
