import { expect, test } from 'vitest';
import { RawOutput, type Recording, REPLAY_BYTES } from '../../../src/session/log/rawOutput';

const SIZE = { cols: 80, rows: 24 };
const LARGE = { cols: 120, rows: 40 };

/** A raw output with a clock that the test sets. */
function createOutput(): { output: RawOutput; clock: { nowMs: number } } {
  const clock = { nowMs: 5_000 };
  return { output: new RawOutput(SIZE, () => clock.nowMs), clock };
}

/** Events in short: `1200 text`, or `1200 120x40` for a change of size. */
function eventsOf({ events }: Recording): string[] {
  return events.map((event) =>
    event.kind === 'output'
      ? `${String(event.atMs)} ${event.bytes.toString('latin1')}`
      : `${String(event.atMs)} ${String(event.size.cols)}x${String(event.size.rows)}`,
  );
}

test('a recording has each piece of output with its time', () => {
  const { output, clock } = createOutput();
  clock.nowMs += 100;
  output.append(Buffer.from('one\n'));
  clock.nowMs += 2_000;
  output.append(Buffer.from('two\n'));

  const recording = output.recording();

  expect(eventsOf(recording)).toEqual(['100 one\n', '2100 two\n']);
  expect(recording).toMatchObject({ size: SIZE, missingBytes: 0 });
});

test('pieces in quick succession are one', () => {
  const { output, clock } = createOutput();
  for (const text of ['a', 'b', 'c']) {
    output.append(Buffer.from(text));
    clock.nowMs += 4;
  }

  expect(eventsOf(output.recording())).toEqual(['0 abc']);
});

test('a change of size stands between the output before and after it', () => {
  const { output, clock } = createOutput();
  output.append(Buffer.from('small'));
  clock.nowMs += 500;
  output.noteResize({ cols: 100, rows: 30 });
  output.noteResize(LARGE);
  output.noteResize(LARGE);
  clock.nowMs += 500;
  output.append(Buffer.from('large'));

  expect(eventsOf(output.recording())).toEqual(['0 small', '500 120x40', '1000 large']);
});

test('a size from before any output is that of the beginning', () => {
  const { output } = createOutput();
  output.noteResize(LARGE);
  output.append(Buffer.from('x'));

  expect(output.recording()).toMatchObject({ size: LARGE, events: [{ kind: 'output', atMs: 0 }] });
});

test('a recording of nothing has no events', () => {
  expect(createOutput().output.recording()).toMatchObject({ missingBytes: 0, events: [] });
});

test('of more output than is kept the recording begins later, with a whole line, and counts what is missing', () => {
  const { output, clock } = createOutput();
  const line = `${'x'.repeat(999)}\n`;
  output.append(Buffer.from('y'));
  output.noteResize(LARGE);
  const lines = 3_000;
  for (let index = 0; index < lines; index++) {
    output.append(Buffer.from(line));
    clock.nowMs += 20;
  }

  const { size, missingBytes, startedAt, events } = output.recording();

  const bytes = Buffer.concat(events.map((event) => (event.kind === 'output' ? event.bytes : Buffer.alloc(0))));
  expect(size).toEqual(LARGE);
  expect(bytes.toString('latin1').startsWith(line)).toBe(true);
  expect(missingBytes + bytes.length).toBe(1 + lines * line.length);
  expect(bytes.length).toBeGreaterThan(REPLAY_BYTES - 2 * line.length);
  expect(events[0]?.atMs).toBe(0);
  expect(events.at(-1)?.atMs).toBe((events.length - 1) * 20);
  expect(startedAt - Date.now()).toBeGreaterThan(15_000);
});

test('hours of a spinner cost bounded memory, and keep the newest times exact', () => {
  const { output, clock } = createOutput();
  const frame = Buffer.from('\r|');
  for (let index = 0; index < 100_000; index++) {
    output.append(frame);
    clock.nowMs += 80;
  }

  const { events } = output.recording();

  expect(events.length).toBeLessThan(20_000);
  expect(events.slice(-3).map(({ atMs }) => atMs)).toEqual([99_997, 99_998, 99_999].map((index) => index * 80));
  const bytes = events.reduce((sum, event) => sum + (event.kind === 'output' ? event.bytes.length : 0), 0);
  expect(bytes).toBe(200_000);
});
