import { spawn } from 'node:child_process';

/** A server that does not end this soon after its stdin closed and SIGTERM is killed. */
const STOP_GRACE_MS = 1_500;
/** Enough of stderr to name the reason of a failure in a table row. */
const STDERR_TAIL_CHARS = 2_000;
const NEWLINE = 0x0a;
const METHOD_NOT_FOUND = -32601;

/**
 * A child process that speaks JSON-RPC, one message a line, over its stdio.
 * All contestants are asked through this one client, so its cost is the same in every row of a table.
 */
export class ServerProcess {
  nextId = 0;
  pending = new Map();
  partialLine = [];
  stderrTail = '';
  /** Bytes received so far: the difference over a call is the size of its reply, notifications included. */
  receivedBytes = 0;
  /** Set by an adapter whose protocol has notifications. */
  onNotification = () => {};

  /** `envelope` is merged into each message: `{ jsonrpc: '2.0' }` for MCP, nothing for a wire without it. */
  constructor({ command, args, env, cwd, envelope = {} }) {
    this.envelope = envelope;
    /** Rejects when the server is gone: for adapters that wait for notifications and not for a reply. */
    this.ended = new Promise((_, reject) => {
      this.rejectEnded = reject;
    });
    this.ended.catch(() => {});
    this.child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.pid = this.child.pid;
    this.child.stdout.on('data', (data) => this.receive(data));
    this.child.stderr.on('data', (data) => {
      this.stderrTail = (this.stderrTail + data).slice(-STDERR_TAIL_CHARS);
    });
    // The reason arrives as 'error' or 'exit'; EPIPE on stdin says nothing more.
    this.child.stdin.on('error', () => {});
    this.child.on('error', (error) => this.fail(error.message));
    this.child.on('exit', (code, signal) => this.fail(`server ended (${signal ?? `exit code ${code}`})`));
  }

  request(method, params) {
    if (this.failure !== undefined) return Promise.reject(new Error(this.failure));
    const id = ++this.nextId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  notify(method, params) {
    this.send({ method, params });
  }

  async stop() {
    if (this.failure !== undefined) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.end();
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify({ ...this.envelope, ...message })}\n`);
  }

  receive(data) {
    this.receivedBytes += data.length;
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, start)) {
      this.partialLine.push(data.subarray(start, end));
      const line = Buffer.concat(this.partialLine).toString();
      this.partialLine = [];
      start = end + 1;
      this.handleLine(line);
    }
    if (start < data.length) this.partialLine.push(data.subarray(start));
  }

  handleLine(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // Some peers log to stdout.
    }
    if (message.method !== undefined && message.id !== undefined) this.answer(message);
    else if (message.method !== undefined) this.onNotification(message.method, message.params);
    else this.settle(message);
  }

  /** Servers may ask their client too; one that is left without an answer waits. */
  answer({ id, method }) {
    if (method === 'ping') this.send({ id, result: {} });
    else this.send({ id, error: { code: METHOD_NOT_FOUND, message: `The bench does not offer ${method}` } });
  }

  settle({ id, result, error }) {
    const call = this.pending.get(id);
    this.pending.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  }

  fail(reason) {
    if (this.failure !== undefined) return;
    const lastWords = this.stderrTail.trim().split('\n').at(-1);
    this.failure = lastWords ? `${reason}: ${lastWords}` : reason;
    for (const call of this.pending.values()) call.reject(new Error(this.failure));
    this.pending.clear();
    this.rejectEnded(new Error(this.failure));
  }
}
