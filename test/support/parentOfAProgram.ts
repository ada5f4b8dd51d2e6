import type { ExecBackend } from '../../src/process/execProcess';
import { runProcess } from './runProcess';

/** The process id of the server that runs the programs of a backend. */
export async function parentOfAProgram(backend: ExecBackend): Promise<string> {
  const ran = await runProcess({ command: 'echo $PPID', terminal: undefined }, backend);
  await ran.closed;
  return ran.output().trim();
}
