import { expect, it } from 'vitest';
import type { RecordedEvent, Recording } from '../../../src/session/log/rawOutput';
import { createManager, startSession } from '../../support/startSession';
import { until } from '../../support/until';
import { asciicast, type AsciicastSubject } from '../../../src/vscode/output/asciicast';
import { english } from '../english';

const SIZE = { cols: 80, rows: 24 };
const subject: AsciicastSubject = { title: 'tests', command: 'npm test', shell: '/bin/bash', isTerminal: true };

function recordingOf(events: readonly RecordedEvent[], missingBytes = 0): Recording {
  return { startedAt: 1_800_000_000_250, size: SIZE, missingBytes, events };
}

function output(atMs: number, text: string | Buffer): RecordedEvent {
  return { kind: 'output', atMs, bytes: Buffer.from(text) };
}

function linesOf(recording: Recording, about = subject): unknown[] {
  const text = asciicast(recording, about, english);
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

it('writes a header, and each output and size with its time in seconds', () => {
  const events: RecordedEvent[] = [
    output(12.3456, '\u001b[32mone\u001b[0m\r\n'),
    { kind: 'resized', atMs: 1_500, size: { cols: 120, rows: 40 } },
    output(2_000, 'two'),
  ];

  expect(linesOf(recordingOf(events))).toEqual([
    {
      version: 2,
      width: 80,
      height: 24,
      timestamp: 1_800_000_000,
      title: 'tests',
      command: 'npm test',
      env: { SHELL: '/bin/bash', TERM: 'xterm-256color' },
    },
    [0.012346, 'o', '\u001b[32mone\u001b[0m\r\n'],
    [1.5, 'r', '120x40'],
    [2, 'o', 'two'],
  ]);
});

it('keeps a character whole that came in two pieces', () => {
  const [first, second] = [Buffer.from([0xe2, 0x89]), Buffer.from([0xa4, 0x0a])];

  expect(linesOf(recordingOf([output(0, first), output(300, second)])).slice(1)).toEqual([[0.3, 'o', '≤\n']]);
});

it('says at the beginning what is missing there', () => {
  expect(linesOf(recordingOf([output(0, 'late')], 1_234_567)).slice(1)).toEqual([
    [0, 'm', 'the first 1,234,567 bytes are not in this recording'],
    [0, 'o', 'late'],
  ]);
});

it('plays the lines of a program without a terminal as lines', () => {
  const [header, ...events] = linesOf(recordingOf([output(0, 'a\nb\n')]), { ...subject, isTerminal: false });

  expect(header).toMatchObject({ env: { TERM: 'dumb' } });
  expect(events).toEqual([[0, 'o', 'a\r\nb\r\n']]);
});

it('has nothing of what was typed unseen', async () => {
  const session = await startSession(createManager(), 'read -rsp "password: " x; echo; echo length ${#x}');
  await until('it asks', () => session.lastLine().includes('password'));
  await session.write(Buffer.from('canary-4711\n'), 'user');
  await session.waitForEnd(20_000);

  const text = asciicast(session.recording(), session.info, english);

  expect(text).toContain('length 11');
  expect(text).not.toContain('canary');
  expect(text).not.toContain('"i"');
});
