/**
 * Runs the program of its arguments for as long as standard input stays open, and ends with it. Input that closes means that
 * whoever asked for the program is gone, be it by a crash or a kill: then this whole process group is killed.
 * It must be started as the leader of a group of its own.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

const [command, ...args] = process.argv.slice(2);
const program = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
program.once('error', (error) => {
  console.error(error);
  process.exit(1);
});
program.once('exit', (code) => process.exit(code ?? 1));

process.on('SIGTERM', () => program.kill('SIGTERM'));
process.stdin.once('close', () => process.kill(0, 'SIGKILL'));
process.stdin.resume();
