import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startContestant, stopContestant, shuffled } from '../contestants/roster.mjs';
import { attempt } from '../support/attempt.mjs';
import { ownCpuMs, peakResidentKb, residentKb, resetPeakResident } from '../support/procfs.mjs';
import { median, ratio } from '../support/statistics.mjs';
import { delay } from '../support/time.mjs';

/** 100 bytes with its newline: a line as long as those of a build log. */
const LINE = `${'x'.repeat(99)}\n`;
const LINE_COUNT = 1_000_000;
const LINES_PER_WRITE = 10_000;
/** Longer than 100 MB takes through the slowest peer that gets through at all. */
const CALL_TIMEOUT_MS = 60_000;
/** Lets start-up work and the collector settle, so that growth is the growth of the measured call. */
const SETTLE_MS = 300;

/** 100 MB through a PTY: time, and what the server pays for it. A new server for each round, so that peaks do not add up. */
export const throughput = {
  name: 'throughput',
  title: 'Throughput: `cat` of 100 MB in lines of 100 bytes',
  defaultRounds: 5,
  columns: [
    ['rounds', (row) => row.count],
    ['p50 ms', (row) => row.p50Ms, 0],
    ['x C', (row) => row.xLimit, 2],
    ['MB/s', (row) => row.megabytesPerSecond, 0],
    ['CPU ms', (row) => row.cpuMs, 0],
    ['CPU x C', (row) => row.cpuXLimit, 2],
    ['RSS before MB', (row) => row.residentMb, 1],
    ['peak RSS MB', (row) => row.peakMb, 1],
    ['growth MB', (row) => row.growthMb, 1],
    ['reply KB', (row) => row.replyKb, 0],
    ['MB accounted for', (row) => row.accountedMb, 1],
    ['not finished', (row) => row.unfinished],
  ],

  async run({ contestants, rounds, surroundings }) {
    const file = join(surroundings.work, '100-megabytes');
    writeLines(file);
    const rows = contestants.map((contestant) => ({ contestant, name: contestant.name, how: contestant.how, runs: [] }));
    for (let round = 0; round < rounds; round++) {
      for (const row of shuffled(rows)) await measure(row, `cat ${file}`);
    }
    rmSync(file);
    return summarised(rows);
  },
};

function writeLines(file) {
  const block = LINE.repeat(LINES_PER_WRITE);
  const descriptor = openSync(file, 'w');
  for (let written = 0; written < LINE_COUNT; written += LINES_PER_WRITE) writeSync(descriptor, block);
  closeSync(descriptor);
}

async function measure(row, command) {
  if (row.failure !== undefined) return;
  const { contestant } = row;
  row.failure = await startContestant(contestant);
  await attempt(row, 'reply', () => contestant.exec('true'));
  if (row.failure !== undefined) return;
  await delay(SETTLE_MS);
  const residentKbBefore = residentKb(contestant.pid);
  resetPeakResident(contestant.pid);
  const cpuMsBefore = ownCpuMs(contestant.pid);
  const outcome = await attempt(row, 'reply', () => contestant.exec(command, { output: 'none' }), CALL_TIMEOUT_MS);
  if (outcome) {
    const { result, elapsedMs } = outcome;
    const peakKb = peakResidentKb(contestant.pid);
    row.runs.push({
      elapsedMs: result.ownMs ?? elapsedMs,
      cpuMs: ownCpuMs(contestant.pid) - cpuMsBefore,
      residentKb: residentKbBefore,
      peakKb,
      growthKb: peakKb - residentKbBefore,
      replyBytes: result.replyBytes,
      accountedBytes: result.totalBytes ?? result.text.length,
      isFinished: result.exitCode === 0,
    });
  }
  await stopContestant(contestant);
}

const KB = 1024;
const BYTES_PER_MB = 1_000_000;

function summarised(rows) {
  const of = (row, field) => median(row.runs.map((run) => run[field]).filter((value) => !Number.isNaN(value ?? NaN)));
  const over = (value, divisor) => (value === undefined ? undefined : value / divisor);
  const base = rows.find((row) => row.contestant.isYardstick);
  return rows.map((row) => {
    const p50Ms = of(row, 'elapsedMs');
    const unfinished = row.runs.filter((run) => !run.isFinished).length;
    // A server that stops the command after its first megabyte is not fast.
    const finishedMs = unfinished === 0 ? p50Ms : undefined;
    return {
      ...row,
      count: row.runs.length,
      p50Ms,
      xLimit: ratio(finishedMs, of(base, 'elapsedMs')),
      megabytesPerSecond: ratio((LINE.length * LINE_COUNT) / 1000, finishedMs),
      cpuMs: of(row, 'cpuMs'),
      cpuXLimit: unfinished === 0 ? ratio(of(row, 'cpuMs'), of(base, 'cpuMs')) : undefined,
      residentMb: over(of(row, 'residentKb'), KB),
      peakMb: over(of(row, 'peakKb'), KB),
      growthMb: over(of(row, 'growthKb'), KB),
      replyKb: over(of(row, 'replyBytes'), KB),
      accountedMb: over(of(row, 'accountedBytes'), BYTES_PER_MB),
      unfinished,
    };
  });
}
