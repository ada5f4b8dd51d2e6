import { runCli } from './cli/runCli';

const { stdin, stdout, stderr } = process;
// Logs are worth nothing to a client that does not read them; the work goes on.
stderr.on('error', () => undefined);

void runCli(process.argv.slice(2), { stdin, stdout, stderr }).then((exitCode) => {
  // What was written goes out first, also where writing is asynchronous; then nothing left open keeps the process alive.
  stdout.write('', () => process.exit(exitCode));
});
