import { withStarted } from '../contestants/roster.mjs';
import { attempt } from '../support/attempt.mjs';

/** Several at once: an exit that is handled in time on an idle machine may come too early on a busy one. */
const PARALLEL_COMMANDS = 4;
/** Exit codes go round below this: the largest that a shell passes on unchanged. */
const EXIT_CODE_COUNT = 256;

/** Numbers from `first` to `last`, one a line: any byte that is lost, doubled or out of order shows. */
function numbers(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join('');
}

/** Commands that end at once after they printed. `printf` is a builtin: the shell itself writes and exits. */
const kinds = [
  { name: '20 KB', command: `printf '%s\\n' $(seq 10000 13412)`, expected: numbers(10000, 13412) },
  { name: '1 MB', command: 'seq 100000 249999', expected: numbers(100000, 249999) },
  { name: 'nothing', command: ':', expected: '' },
];

/** Fast exits with every byte and every exit code checked: what a server must never trade for speed. */
export const exits = {
  name: 'exits',
  title: `Fast exits: 20 KB, 1 MB and nothing in turn, ${PARALLEL_COMMANDS} at a time, each with its own exit code`,
  defaultRounds: 200,
  columns: [
    ['exits', (row) => row.count],
    ['wrong codes', (row) => row.wrongCodes],
    ['no code', (row) => row.missingCodes],
    ['outputs wrong', (row) => row.wrongOutputs],
    ['bytes lost', (row) => row.lostBytes],
    ['capped but counted', (row) => row.capped],
    ['first wrong', (row) => row.firstWrong],
  ],

  async run({ contestants, rounds }) {
    // One contestant after the other: nothing is timed, and a queue of parallel commands per server is the load wanted.
    const capable = contestants.filter((contestant) => !contestant.isYardstick);
    return withStarted(capable, async (started) => {
      for (const row of started) {
        Object.assign(row, { count: 0, wrongCodes: 0, missingCodes: 0, wrongOutputs: 0, lostBytes: 0, capped: 0 });
        let next = 0;
        const worker = async () => {
          while (next < rounds && row.failure === undefined) await runOne(row, next++);
        };
        await Promise.all(Array.from({ length: PARALLEL_COMMANDS }, worker));
      }
    });
  },
};

async function runOne(row, index) {
  const kind = kinds[index % kinds.length];
  const exitCode = index % EXIT_CODE_COUNT;
  const command = `${kind.command}; exit ${exitCode}`;
  const outcome = await attempt(row, 'reply', () => row.contestant.exec(command, { output: 'whole' }));
  if (!outcome) return;
  row.count++;
  const problem = checkCode(row, outcome.result, exitCode) ?? checkOutput(row, outcome.result, kind.expected);
  if (problem !== undefined) row.firstWrong ??= `${kind.name}: ${problem}`;
}

function checkCode(row, result, exitCode) {
  if (result.exitCode === exitCode) return undefined;
  if (result.exitCode === undefined) {
    row.missingCodes++;
    return undefined;
  }
  row.wrongCodes++;
  return `code ${result.exitCode} for ${exitCode}`;
}

/** Line ends and the last newline are the server's to render; every other byte is the program's. */
function checkOutput(row, result, expected) {
  const normalise = (text) => text.replaceAll('\r\n', '\n').trimEnd();
  const text = normalise(result.text);
  const wanted = normalise(expected);
  if (text === wanted) return undefined;
  if (result.omittedBytes > 0) {
    row.capped++;
    return undefined;
  }
  row.wrongOutputs++;
  row.lostBytes += Math.max(0, wanted.length - text.length);
  return `${text.length} of ${wanted.length} bytes`;
}
