import { parseArgs } from 'node:util';

/** Says what is wrong and what would be right; the caller prints it without a stack. */
export class UsageError extends Error {}

export function usage(benchmarks, peers) {
  return [
    'Usage: npm run bench -- [benchmark ...] [--peers all|none|name,...] [--rounds N] [--pause MS] [--also CLI ...]',
    '',
    `  benchmarks  ${benchmarks.map(({ name, defaultRounds }) => `${name} (${defaultRounds} rounds)`).join(', ')}; default: all`,
    `  --peers     ${peers.join(', ')}; default: all`,
    '  --rounds    rounds of each chosen benchmark',
    '  --pause     time between calls where a benchmark has one; 0 shows calls back to back',
    '  --also      the cli.js of another build of this project, to measure beside the present one',
  ].join('\n');
}

/** Turns the command line into what to run. */
export function parseOptions(argv, { benchmarks, peers }) {
  const options = {
    peers: { type: 'string' },
    rounds: { type: 'string' },
    pause: { type: 'string' },
    also: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  };
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
  const { values, positionals } = parsed;
  return {
    help: values.help === true,
    benchmarks: positionals.length === 0 ? benchmarks : pick(positionals, benchmarks, 'benchmark'),
    peerNames: pickPeers(values.peers ?? 'all', peers),
    otherBuilds: values.also ?? [],
    rounds: wholeNumber('--rounds', values.rounds, 1),
    pauseMs: wholeNumber('--pause', values.pause, 0),
  };
}

function pick(names, benchmarks, what) {
  return names.map((name) => {
    const found = benchmarks.find((benchmark) => benchmark.name === name);
    if (!found) throw new UsageError(`No ${what} "${name}"; there are ${benchmarks.map((each) => each.name).join(', ')}`);
    return found;
  });
}

function pickPeers(value, peers) {
  if (value === 'all') return peers;
  if (value === 'none') return [];
  const names = value.split(',');
  const unknown = names.find((name) => !peers.includes(name));
  if (unknown !== undefined) throw new UsageError(`No peer "${unknown}"; there are ${peers.join(', ')}`);
  return names;
}

function wholeNumber(option, value, minimum) {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isInteger(number) || number < minimum) {
    throw new UsageError(`${option} takes a whole number of at least ${minimum}, not "${value}"`);
  }
  return number;
}
