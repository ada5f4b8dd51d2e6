import { shuffled, withStarted } from '../contestants/roster.mjs';
import { attempt } from '../support/attempt.mjs';
import { median, ratio, summarise } from '../support/statistics.mjs';
import { delay } from '../support/time.mjs';

/** Lets a server finish what it does after its reply. */
const DEFAULT_PAUSE_MS = 10;
/** Time for `cat` to have started, so that the first write finds it reading. */
const SETTLE_MS = 300;
/** A server that sleeps a fixed time shows it in a few rounds; more of them only make everybody wait. */
const SLOW_MS = 200;
const SLOW_ROUNDS = 8;
/** A PTY shows a line twice: as the terminal's echo and as the answer of `cat`. */
const LINES_PER_PTY_ECHO = 2;

/** Write a line to a live `cat` and wait until a reply holds the echo and the answer: what one step in a REPL pays. */
export const echo = {
  name: 'echo',
  title: 'Echo: a line written to a live `cat` until it is in a reply',
  defaultRounds: 50,
  columns: [
    ['writes', (row) => row.count],
    ['min ms', (row) => row.minMs, 2],
    ['p50 ms', (row) => row.p50Ms, 2],
    ['p95 ms', (row) => row.p95Ms, 2],
    ['x C', (row) => row.xLimit, 1],
    ['calls a line', (row) => row.callsPerLine, 0],
  ],

  async run({ contestants, rounds, pauseMs = DEFAULT_PAUSE_MS }) {
    const capable = contestants.filter((contestant) => contestant.open !== undefined);
    const rows = await withStarted(capable, async (started) => {
      for (const row of started) {
        Object.assign(row, { samplesMs: [], calls: [] });
        const opened = await attempt(row, 'session', () => row.contestant.open('cat'));
        row.session = opened?.result;
        await delay(SETTLE_MS);
        await attempt(row, 'first answer', () => echoOnce(row, lineOf('warm', 0)));
      }
      for (let round = 0; round < rounds; round++) {
        for (const row of shuffled(started)) {
          if (round >= SLOW_ROUNDS && median(row.samplesMs) > SLOW_MS) continue;
          const outcome = await attempt(row, 'answer', () => echoOnce(row, lineOf('line', round)));
          if (!outcome) continue;
          row.samplesMs.push(outcome.result.ownMs ?? outcome.elapsedMs);
          row.calls.push(outcome.result.calls);
          await delay(pauseMs);
        }
      }
      for (const row of started) await attempt(row, 'end of the session', () => row.contestant.close(row.session));
    });
    const baseMs = median(rows.find((row) => row.contestant.isYardstick).samplesMs ?? []);
    return rows.map((row) => {
      if (row.samplesMs === undefined) return row;
      const xLimit = ratio(median(row.samplesMs), baseMs);
      return { ...row, session: undefined, ...summarise(row.samplesMs), xLimit, callsPerLine: median(row.calls) };
    });
  },
};

/** Of fixed width, so that no line is the beginning of another. */
const lineOf = (word, number) => `${word}-${String(number).padStart(6, '0')}`;

function echoOnce({ contestant, session }, line) {
  const expected = contestant.linesPerEcho ?? LINES_PER_PTY_ECHO;
  return contestant.write(session, `${line}\n`, (text) => text.split(line).length > expected);
}
