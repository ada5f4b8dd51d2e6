import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManager, startSession } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

const LONG_MS = 20_000;

/** Prints a question, reads the answer byte by byte with a limit of time, and shows it. */
function ask(question: string, bytes: number): string {
  return `stty raw -echo; printf '${question}'; timeout --foreground 1 head -c ${String(bytes)} | od -An -c | tr -s ' '`;
}

describe('without a terminal emulator, the session answers what programs ask their terminal:', () => {
  test.each([
    ['device attributes', '\\033[c', ' 033 [ ? 1 ; 2 c', 7],
    ['its state', '\\033[5n', ' 033 [ 0 n', 4],
    ['where the cursor is', 'ab\\r\\ncde\\033[6n', ' 033 [ 2 ; 4 R', 6],
    ['a mode', '\\033[?2026$p', ' 033 [ ? 2 0 2 6 ; 2 $ y', 11],
    ['the background colour', '\\033]11;?\\007', ' 033 ] 1 1 ; r g b : 1 e 1 e /', 14],
  ])('%s', async (_, question, answer, bytes) => {
    const session = await startSession(createManager(), ask(question, bytes));
    const reader = session.createReader();
    await session.waitForEnd(LONG_MS);

    expect(reader.read(1_000).text).toContain(answer);
  });
});

test('with an emulator attached the session keeps silent, so that no question is answered twice', async () => {
  const session = await startSession(createManager(), `read go; ${ask('\\033[c', 7)}`);
  const reader = session.createReader();
  const emulator = session.attachEmulator();
  await session.write(Buffer.from('\n'), 'user');
  await session.waitForEnd(LONG_MS);

  expect(reader.read(1_000).text.trim()).toBe('');
  emulator.dispose();
});

test('a full-screen program shows its picture, in the size of its terminal, and leaves no trace in the text', async () => {
  const file = path.join(tempDir(), 'file.txt');
  writeFileSync(file, Array.from({ length: 100 }, (_unused, index) => `line ${String(index + 1)}`).join('\n'));
  const session = await startSession(createManager(), `LESS= less ${file}; echo after`, { terminal: { cols: 40, rows: 6 } });
  const reader = session.createReader();

  expect(await session.wait(LONG_MS)).toBe('input');
  expect([session.isFullScreen, (await session.screen()).rows]).toEqual([
    true,
    ['line 1', 'line 2', 'line 3', 'line 4', 'line 5', expect.stringContaining('file.txt')],
  ]);
  await session.write(Buffer.from('G'), 'agent');
  const last = await until('the end is shown', async () => (await session.screen()).rows.includes('line 100'));
  await session.write(Buffer.from('q'), 'agent');
  await session.waitForEnd(LONG_MS);

  expect([last, session.isFullScreen, reader.read(1_000).text]).toEqual([true, false, 'after\n']);
});

test.each([
  ['top', true],
  ["tput civis; printf 'working\\r'; sleep 30", false],
  ['clear; echo hi; sleep 30', false],
  ['tput civis; tput cup 3 3; printf x; tput cnorm; sleep 30', false],
])('a program that does %j has the whole screen: %s', async (command, isFullScreen) => {
  const session = await startSession(createManager(), command);
  await until('it has drawn', () => session.replay().length > 0);
  await session.wait(500);

  expect(session.isFullScreen).toBe(isFullScreen);
});

test('the picture follows a new size', async () => {
  const session = await startSession(
    createManager(),
    "trap 'tput clear; stty size' WINCH; tput clear; while :; do sleep 0.05; done",
    {
      terminal: { cols: 20, rows: 5 },
    },
  );
  await until('it has drawn', () => session.replay().length > 0);

  session.resize({ cols: 30, rows: 4 });

  await until('the program has drawn anew', async () => (await session.screen()).rows[0] === '4 30');
});
