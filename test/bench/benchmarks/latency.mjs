import { withStarted, shuffled } from '../contestants/roster.mjs';
import { attempt } from '../support/attempt.mjs';
import { cpuWithReapedChildrenMs } from '../support/procfs.mjs';
import { median, ratio, summarise } from '../support/statistics.mjs';
import { delay } from '../support/time.mjs';

/** First calls load code and fill caches; they belong to the cold start. */
const WARM_UP_CALLS = 3;
/** Lets a server finish what it does after its reply, so that it is not measured in another one's turn. */
const DEFAULT_PAUSE_MS = 40;

/** Request to reply with the exit code of a command that does nothing: what every tool call of an agent pays. */
export const latency = {
  name: 'latency',
  title: 'Latency: request to reply with the exit code of `true`, no login shell',
  defaultRounds: 100,
  columns: [
    ['calls', (row) => row.count],
    ['min ms', (row) => row.minMs, 2],
    ['p50 ms', (row) => row.p50Ms, 2],
    ['p95 ms', (row) => row.p95Ms, 2],
    ['x C', (row) => row.xLimit, 2],
    ['CPU ms a call', (row) => row.cpuMsPerCall, 1],
    ['no exit code', (row) => row.withoutExitCode],
  ],

  async run({ contestants, rounds, pauseMs = DEFAULT_PAUSE_MS }) {
    const rows = await withStarted(contestants, async (started) => {
      for (const row of started) {
        Object.assign(row, { samplesMs: [], pipeSamplesMs: [], withoutExitCode: 0 });
        for (let call = 0; call < WARM_UP_CALLS; call++) await attempt(row, 'reply', () => row.contestant.exec('true'));
        row.cpuBeforeMs = cpuWithReapedChildrenMs(row.contestant.pid);
      }
      for (let round = 0; round < rounds; round++) {
        for (const row of shuffled(started)) {
          const outcome = await attempt(row, 'reply', () => row.contestant.exec('true'));
          if (outcome) record(row, outcome);
          await delay(pauseMs);
        }
      }
      for (const row of started) {
        const cpuMs = cpuWithReapedChildrenMs(row.contestant.pid) - row.cpuBeforeMs;
        row.cpuMsPerCall = row.samplesMs.length === 0 ? undefined : cpuMs / row.samplesMs.length;
      }
    });
    return withRatios(rows);
  },
};

function record(row, { result, elapsedMs }) {
  row.samplesMs.push(result.ownMs ?? elapsedMs);
  if (result.ownMs !== undefined) row.pipeSamplesMs.push(elapsedMs);
  if (result.exitCode !== 0) row.withoutExitCode++;
}

/** The yardstick has a second row: the same work, asked for over a pipe like everybody else. */
function withRatios(rows) {
  const baseMs = median(rows.find((row) => row.contestant.isYardstick).samplesMs ?? []);
  return rows.flatMap((row) => {
    if (row.samplesMs === undefined) return [row];
    const finished = { ...row, ...summarise(row.samplesMs), xLimit: ratio(median(row.samplesMs), baseMs) };
    if (!row.contestant.isYardstick) return [finished];
    const { name, how, contestant, pipeSamplesMs } = row;
    const overPipe = { name: `${name}, asked over a pipe`, how, contestant, samplesMs: pipeSamplesMs };
    return [finished, { ...overPipe, ...summarise(pipeSamplesMs), xLimit: ratio(median(pipeSamplesMs), baseMs) }];
  });
}
