import { resolve } from 'node:path';
import { within } from '../support/time.mjs';
import { createBashCommandMcp } from './bashCommandMcp.mjs';
import { createCLimit } from './cLimit.mjs';
import { createCodexExecServer } from './codexExecServer.mjs';
import { createDesktopCommander } from './desktopCommander.mjs';
import { createExecSessions } from './execSessions.mjs';
import { createMcpServerCommands } from './mcpServerCommands.mjs';
import { createMcpShellServer } from './mcpShellServer.mjs';
import { createOwnExecServer } from './ownExecServer.mjs';

/** The first start of a peer installs it, with a limit of its own (installPeer.mjs); this one is for a server that says nothing. */
const START_TIMEOUT_MS = 330_000;
const STOP_TIMEOUT_MS = 5_000;

/** The names `--peers` takes. */
export const peers = {
  codex: (surroundings) => createCodexExecServer(surroundings, 'stdio'),
  'codex-websocket': (surroundings) => createCodexExecServer(surroundings, 'websocket'),
  'mcp-server-commands': createMcpServerCommands,
  'desktop-commander': createDesktopCommander,
  'mcp-shell-server': createMcpShellServer,
  'bash-command-mcp': createBashCommandMcp,
};

/** All that takes part: the yardstick, this project, other builds of it, then the peers in the order of their table. */
export function createContestants(surroundings, { peerNames, otherBuilds }) {
  return [
    createCLimit(surroundings),
    createExecSessions(surroundings),
    createOwnExecServer(surroundings, 'stdio'),
    createOwnExecServer(surroundings, 'websocket'),
    ...otherBuilds.map((cli) => createExecSessions(surroundings, { name: `exec-sessions (${cli})`, cli: resolve(cli) })),
    ...peerNames.map((name) => peers[name](surroundings)),
  ];
}

/**
 * Starts one contestant. A failure to install, compile or start is a result like another and becomes a named row.
 * @returns the reason why it is not available, or undefined
 */
export async function startContestant(contestant) {
  try {
    await within(contestant.start(), START_TIMEOUT_MS, 'answer to initialize');
    return undefined;
  } catch (error) {
    return `not available: ${error.message}`;
  }
}

export async function stopContestant(contestant) {
  try {
    await within(Promise.resolve(contestant.stop()), STOP_TIMEOUT_MS, 'end');
  } catch {
    // It failed to start or died: nothing is left to stop.
  }
}

/** Runs `work` with all contestants that started; `rows` has an entry for each, with `failure` where there was one. */
export async function withStarted(contestants, work) {
  const rows = [];
  try {
    for (const contestant of contestants) {
      const failure = await startContestant(contestant);
      rows.push({ contestant, name: contestant.name, how: contestant.how, failure });
    }
    await work(rows.filter((row) => row.failure === undefined));
  } finally {
    for (const contestant of contestants) await stopContestant(contestant);
  }
  return rows;
}

/**
 * The order of one round, drawn anew for each: in a fixed one each contestant would always run in the wake of the same neighbour,
 * with the caches that this one left.
 */
export function shuffled(items) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
