import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { peersFolder } from '../support/surroundings.mjs';

const source = fileURLToPath(new URL('../limit/ptyLimit.c', import.meta.url));

/** Compiles once for each version of the source; a rename keeps two benches that start together apart. */
function compile() {
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const folder = join(peersFolder, 'c-limit');
  const program = join(folder, `ptyLimit-${hash}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  try {
    execFileSync('gcc', ['-O2', '-Wall', '-o', unfinished, source, '-lutil'], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new Error(error.code === 'ENOENT' ? 'no C compiler (gcc) found' : `gcc: ${String(error.stderr).split('\n')[0]}`, {
      cause: error,
    });
  }
  renameSync(unfinished, program);
  return program;
}

/**
 * The yardstick of every table: a C program that does the same with nothing around it.
 * Its replies carry `ownMs`, the time inside the program; the round trip over its pipe is measured by the caller as for all others.
 */
export function createCLimit(surroundings) {
  let child;
  let replies;
  async function ask(request) {
    child.stdin.write(`${request}\n`);
    const { value, done } = await replies.next();
    if (done) throw new Error('the C program ended');
    return JSON.parse(value);
  }
  return {
    name: 'C limit',
    how: 'PTY, bash',
    isYardstick: true,
    get pid() {
      return child.pid;
    },
    async start() {
      child = spawn(compile(), [], { env: surroundings.env, cwd: surroundings.work, stdio: ['pipe', 'pipe', 'inherit'] });
      replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    },
    async exec(command) {
      const { ms, bytes, code } = await ask(`r ${command}`);
      return { ownMs: ms, totalBytes: bytes, exitCode: code };
    },
    open: async () => ({}),
    async write(_session, chars) {
      const { ms } = await ask(`e ${chars.trimEnd()}`);
      return { ownMs: ms, calls: 1 };
    },
    async close() {},
    async stop() {
      if (child === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
