import { createExecServer } from './execServer.mjs';
import { installCodex } from './installCodex.mjs';

export function createCodexExecServer(surroundings, transport) {
  const program = async () => ({ command: await installCodex(), args: [] });
  return createExecServer(surroundings, { name: 'codex exec-server', transport, program });
}
