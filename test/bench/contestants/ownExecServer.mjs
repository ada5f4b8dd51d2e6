import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { repoRoot } from '../support/surroundings.mjs';
import { createExecServer } from './execServer.mjs';
import { builtCli } from './execSessions.mjs';

export function createOwnExecServer(surroundings, transport) {
  const program = async () => {
    if (!existsSync(builtCli)) throw new Error(`${relative(repoRoot, builtCli)} is missing: run npm run build`);
    return { command: process.execPath, args: [builtCli] };
  };
  return createExecServer(surroundings, { name: 'exec-sessions exec-server', transport, program });
}
