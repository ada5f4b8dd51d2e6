import { expect, test } from 'vitest';
import { LinePattern } from '../../src/session/text/linePattern';
import { PatternWatch } from '../../src/session/text/patternWatch';
import type { Session } from '../../src/session/session';
import { SessionText } from '../../src/session/text/sessionText';
import { createManager, startSession } from '../support/startSession';

const LONG_MS = 20_000;

function pattern(source: string): LinePattern {
  const parsed = LinePattern.parse(source);
  if (parsed.kind === 'invalid') throw new Error(parsed.message);
  return parsed.pattern;
}

function watch(session: Session, source: string, typed?: string): PatternWatch {
  const { transcript } = session;
  return new PatternWatch(transcript, {
    pattern: pattern(source),
    from: typed === undefined ? 0 : transcript.log.totalBytes,
    typed,
  });
}

test('a wait ends as soon as the pattern is printed, and the program goes on', async () => {
  const session = await startSession(createManager(), 'echo starting; sleep 0.2; echo "ready on port 42"; sleep 30');

  expect(await session.wait(LONG_MS, { pattern: watch(session, 'ready on port \\d+') })).toBe('matched');
  expect(session.state.kind).toBe('running');
});

test('a pattern matches on a line that is not finished yet', async () => {
  const session = await startSession(createManager(), 'printf "50%% "; sleep 30');

  expect(await session.wait(LONG_MS, { pattern: watch(session, '^50%') })).toBe('matched');
});

test('a server that listens to its terminal too is waited for until it prints the pattern', async () => {
  const server = "process.stdin.resume(); setTimeout(() => console.log('ready'), 900)";
  const session = await startSession(createManager(), `${process.execPath} -e "${server}"`);

  expect(await session.wait(LONG_MS, { pattern: watch(session, 'ready') })).toBe('matched');
});

test('a prompt ends the wait although the pattern was not printed', async () => {
  const session = await startSession(createManager(), "read -p 'name? ' name; sleep 30");

  expect(await session.wait(LONG_MS, { pattern: watch(session, 'never') })).toBe('input');
});

test.each(['python3 -i', 'bash --norc -i'])('the echo of what was typed into %s is no match', async (program) => {
  const session = await startSession(createManager(), program);
  await session.wait(LONG_MS);
  const command = program.startsWith('python')
    ? 'import time; time.sleep(0.3); print("DO" + "NE")\n'
    : 'sleep 0.3; echo DO""NE\n';
  const typed = `${command.trimEnd()} # DONE\n`;
  const onlyResult = watch(session, 'DONE', typed);

  await session.write(Buffer.from(typed), 'agent');
  await session.wait(200, { pattern: onlyResult, knownWait: session.inputWait().stamp });
  const early = onlyResult.hasMatched();
  const end = await session.wait(LONG_MS, { pattern: onlyResult });

  expect([early, end]).toEqual([false, 'matched']);
});

test.each([
  [['>>> x = 1\r\n', '>>> '], 'x = 1\n', 'x = 1', false],
  [['>>> x = 1\r\n', 'x = 1\r\n'], 'x = 1\n', 'x = 1', true],
  [['$ ec', 'ho hi'], 'echo hi\n', 'echo', false],
  [['$ one\r\n$ two\r\n', 'two\r\n'], 'one\ntwo\n', 'two', true],
  [['$ one\r\n$ two\r\n'], 'one\ntwo\n', 'two', false],
  [['prompt> secret'], 'secret\n', 'prompt', true],
])('of %j, with %j typed, /%s/ is printed by the program: %s', (chunks, typed, source, expected) => {
  const text = new SessionText();
  const patternWatch = new PatternWatch(text, { pattern: pattern(source), from: 0, typed });
  const results = chunks.map((chunk) => {
    text.push(Buffer.from(chunk));
    return patternWatch.hasMatched();
  });

  expect(results.includes(true)).toBe(expected);
});

test('every line is looked at, also in a flood', async () => {
  const session = await startSession(createManager(), 'seq 1 300000; echo NEEDLE; seq 1 300000; sleep 30');

  expect(await session.wait(LONG_MS, { pattern: watch(session, '^NEEDLE$') })).toBe('matched');
});
