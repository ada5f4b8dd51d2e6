/**
 * `npm run bench`: this project beside its peers and beside the limit in C, all in one run and in turns.
 * Only ratios within one table mean something; nothing here asserts a time. See README.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { coldStart } from './benchmarks/coldStart.mjs';
import { echo } from './benchmarks/echo.mjs';
import { exits } from './benchmarks/exits.mjs';
import { latency } from './benchmarks/latency.mjs';
import { throughput } from './benchmarks/throughput.mjs';
import { staleBuildWarning } from './contestants/execSessions.mjs';
import { peerPackages } from './contestants/peerPackages.mjs';
import { createContestants, peers } from './contestants/roster.mjs';
import { parseOptions, usage, UsageError } from './options.mjs';
import { markdownTable, toRecord } from './report.mjs';
import { cpuModel, loadAverage } from './support/procfs.mjs';
import { createSurroundings, repoRoot } from './support/surroundings.mjs';

const benchmarks = [latency, echo, throughput, exits, coldStart];
const peerNames = Object.keys(peers);

async function runOne(benchmark, options) {
  const rounds = options.rounds ?? benchmark.defaultRounds;
  const surroundings = createSurroundings();
  const loadBefore = loadAverage();
  try {
    const contestants = createContestants(surroundings, options);
    const rows = await benchmark.run({ contestants, rounds, surroundings, pauseMs: options.pauseMs });
    const loadAfter = loadAverage();
    console.log(markdownTable(benchmark, rows));
    console.log(`Load before ${loadBefore}, after ${loadAfter}.\n`);
    return toRecord(benchmark, rows, { rounds, loadBefore, loadAfter });
  } finally {
    surroundings.dispose();
  }
}

async function main() {
  const options = parseOptions(process.argv.slice(2), { benchmarks, peers: peerNames });
  if (options.help) {
    console.log(usage(benchmarks, peerNames));
    return;
  }
  const machine = { cpu: cpuModel(), cores: cpus().length, kernel: release(), node: process.version };
  console.log(`${machine.cores} cores (${machine.cpu}), kernel ${machine.kernel}, Node ${machine.node}.\n`);
  console.log(staleBuildWarning() ?? '');
  const records = [];
  for (const benchmark of options.benchmarks) records.push(await runOne(benchmark, options));
  const folder = join(repoRoot, 'artifacts');
  mkdirSync(folder, { recursive: true });
  const report = { measuredAt: new Date().toISOString(), machine, peers: peerPackages, benchmarks: records };
  writeFileSync(join(folder, 'bench.json'), `${JSON.stringify(report, undefined, 2)}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage(benchmarks, peerNames)}`);
  process.exitCode = 2;
}
