import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startContestant, stopContestant, shuffled } from '../contestants/roster.mjs';
import { attempt } from '../support/attempt.mjs';
import { residentKb } from '../support/procfs.mjs';
import { median, ratio, summarise } from '../support/statistics.mjs';
import { delay, timed } from '../support/time.mjs';

/** Lets what a server does after its reply (lazy loads, spares) end before the next one starts. */
const DEFAULT_PAUSE_MS = 100;

/** From the start of the process to the reply of the first command: what an agent waits for when it starts the server. */
export const coldStart = {
  name: 'cold',
  title: 'Cold start: from the start of the server to the first reply (`true`)',
  defaultRounds: 10,
  columns: [
    ['starts', (row) => row.count],
    ['ready p50 ms', (row) => row.readyMs, 0],
    ['min ms', (row) => row.minMs, 0],
    ['p50 ms', (row) => row.p50Ms, 0],
    ['p95 ms', (row) => row.p95Ms, 0],
    ['x empty Node', (row) => row.xNode, 2],
    ['RSS MB', (row) => row.residentMb, 1],
  ],

  async run({ contestants, rounds, surroundings, pauseMs = DEFAULT_PAUSE_MS }) {
    const capable = contestants.filter((contestant) => !contestant.isYardstick);
    const all = [createEmptyNode(surroundings), ...capable];
    const rows = all.map((contestant) => ({
      contestant,
      name: contestant.name,
      how: contestant.how,
      samplesMs: [],
      readySamplesMs: [],
      residentSamplesKb: [],
    }));
    for (const row of rows) await installFirst(row);
    for (let round = 0; round < rounds; round++) {
      for (const row of shuffled(rows)) await measure(row, pauseMs);
    }
    const nodeMs = median(rows[0].samplesMs);
    return rows.map((row) => ({
      ...row,
      ...summarise(row.samplesMs),
      readyMs: median(row.readySamplesMs),
      xNode: ratio(median(row.samplesMs), nodeMs),
      residentMb: ratio(median(row.residentSamplesKb), 1024),
    }));
  },
};

/** Once before the rounds: installs a peer, and brings every program into the page cache. */
async function installFirst(row) {
  row.failure = await startContestant(row.contestant);
  await stopContestant(row.contestant);
}

async function measure(row, pauseMs) {
  if (row.failure !== undefined) return;
  const { contestant } = row;
  const outcome = await attempt(row, 'first reply', async () => {
    const { elapsedMs } = await timed(() => contestant.start());
    await contestant.exec('true');
    return { readyMs: elapsedMs };
  });
  if (outcome) {
    row.samplesMs.push(outcome.elapsedMs);
    row.readySamplesMs.push(outcome.result.readyMs);
    await delay(pauseMs);
    row.residentSamplesKb.push(residentKb(contestant.pid));
  }
  await stopContestant(contestant);
}

/** What every server written for Node pays before its first line runs: a script that prints one line. */
function createEmptyNode({ env, work }) {
  let child;
  return {
    name: 'empty Node, first line printed',
    get pid() {
      return child.pid;
    },
    async start() {
      // Kept alive for the reading of its resident size.
      const script = 'console.log(1); process.stdin.resume()';
      child = spawn(process.execPath, ['-e', script], { env, cwd: work, stdio: ['pipe', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
    },
    async exec() {},
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
