import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputWatch } from '../../src/session/terminal/inputWatch';
import type { Session } from '../../src/session/session';
import { createManager, startSession } from '../support/startSession';
import { tempDir } from '../support/tempDir';

const LONG_MS = 20_000;
const isLinux = process.platform === 'linux';

function start(command: string): Promise<Session> {
  return startSession(createManager(), command);
}

describe.runIf(isLinux)('a wait ends early, and says what for,', () => {
  test.each([
    ['a shell that reads a line', "read -p 'name? ' name", 'input'],
    ['a shell that reads a secret', "read -s -p 'password: ' secret", 'hidden'],
    ['a program that copies its input', 'cat', 'input'],
    ['a member of a pipeline', 'cat | sort', 'input'],
    ['a child of the shell', "python3 -c 'input()'; true", 'input'],
    ['a job of an interactive shell', 'bash --norc -ic \'python3 -c "input()"\'', 'input'],
    ['an interactive shell', 'bash --norc -i', 'input'],
    ['the prompt of an interpreter', 'python3 -i', 'input'],
    ['an interpreter on an event loop', `${process.execPath} -i`, 'input'],
    ['a question for a password', "python3 -c 'import getpass; getpass.getpass()'", 'hidden'],
    ['a pager', 'LESS= less /etc/passwd', 'screen'],
  ])('with %s', async (_, command, waitingFor) => {
    const session = await start(command);

    expect([await session.wait(LONG_MS), session.inputWait().waitingFor]).toEqual(['input', waitingFor]);
  });

  test('with a program that asks before it overwrites a file', async () => {
    const key = path.join(tempDir(), 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const session = await start(`ssh-keygen -q -t ed25519 -N '' -f ${key}`);
    const reader = session.createReader();

    expect(await session.wait(LONG_MS)).toBe('input');
    expect(reader.read(1_000).text).toMatch(/Overwrite \(y\/n\)\? $/);
    await session.write(Buffer.from('y\n'), 'agent');
    expect([await session.wait(LONG_MS), session.state]).toEqual(['ended', expect.objectContaining({ reason: 'exited' })]);
  });
});

describe.runIf(isLinux)('a wait goes on, whatever the last line looks like,', () => {
  test.each([
    ['while a program sleeps', "echo 'Proceed? (y/n)'; sleep 1"],
    ['while it sleeps after the word for a password', "echo -n 'Password:'; sleep 1"],
    ['while it computes', 'for i in $(seq 200000); do :; done'],
    ['while it waits for a child', 'sleep 0.6 & wait'],
    ['while a background job reads nothing', 'sleep 0.5 < /dev/null & sleep 0.6'],
    ['while it listens for something else', `${process.execPath} -e 'setTimeout(() => {}, 700)'`],
    ['while it pauses between lines', 'for i in 1 2 3; do echo $i; sleep 0.3; done'],
    [
      'while it loads, although it listens to the terminal too',
      `${process.execPath} -e 'process.stdin.resume(); let n = 0; const t = setInterval(() => { console.log(n); if (++n > 8) process.exit(); }, 100)'`,
    ],
  ])('%s', async (_, command) => {
    const session = await start(command);

    expect(await session.wait(LONG_MS)).toBe('ended');
  });
});

test.runIf(isLinux)('what was typed is answered before the wait ends', async () => {
  const session = await start('python3 -i');
  const reader = session.createReader();
  await session.wait(LONG_MS);
  reader.read(100_000);
  const answers: string[] = [];

  for (const input of ['1 + 1\n', 'print("x" * 3)\n', 'import time; time.sleep(0.2); 42\n']) {
    await session.write(Buffer.from(input), 'agent');
    await session.wait(LONG_MS);
    answers.push(reader.read(100_000).text);
  }

  expect(answers).toEqual(['1 + 1\n2\n>>> ', 'print("x" * 3)\nxxx\n>>> ', 'import time; time.sleep(0.2); 42\n42\n>>> ']);
});

test.runIf(isLinux)(
  'a wait for input that the caller knows of does not end the next wait; what somebody types does',
  async () => {
    const session = await start("read -p 'first? ' a; read -p 'second? ' b");
    await session.wait(LONG_MS);
    const knownWait = session.inputWait().stamp;

    expect(await session.wait(300, { knownWait })).toBe('deadline');
    const next = session.wait(LONG_MS, { knownWait });
    await session.write(Buffer.from('x\n'), 'user');
    expect(await next).toBe('input');
  },
);

test.runIf(isLinux)('every one of many lines is answered in its own wait', async () => {
  const session = await start('stty -echo; while read -r line; do echo "<$line>"; done');
  const reader = session.createReader();
  await session.wait(LONG_MS);
  const answers: string[] = [];

  for (let count = 0; count < 100; count++) {
    await session.write(Buffer.from(`${String(count)}\n`), 'agent');
    await session.wait(LONG_MS);
    answers.push(reader.read(1_000).text);
  }

  expect(answers).toEqual(Array.from({ length: 100 }, (_, count) => `<${String(count)}>\n`));
});

test('without a terminal, a program never waits for input', async () => {
  const session = await startSession(createManager(), 'read line; sleep 0.3', { terminal: undefined });

  expect([session.inputWait().waitingFor, await session.wait(LONG_MS), session.inputWait().waitingFor]).toEqual([
    'none',
    'ended',
    'none',
  ]);
});

describe('a watch', () => {
  test('says unknown where it cannot know', () => {
    const watch = new InputWatch(() => ({ kind: 'unknown' }));

    expect(watch.look(false).waitingFor).toBe('unknown');
  });

  test('takes a listener for waiting only after it has been idle and quiet for a while', () => {
    let now = 0;
    let stamp = 'a';
    const watch = new InputWatch(
      () => ({ kind: 'listening', isHidden: false, isLineMode: false, stamp }),
      () => now,
    );
    const looks: string[] = [];
    const lookAt = (ms: number): void => {
      now = ms;
      looks.push(`${String(ms)} ${watch.look(false).waitingFor}`);
    };

    lookAt(100);
    lookAt(300);
    stamp = 'b';
    lookAt(400);
    lookAt(600);
    watch.noteOutput();
    lookAt(800);
    lookAt(860);

    expect(looks).toEqual(['100 none', '300 none', '400 none', '600 none', '800 none', '860 input']);
  });

  test('gives a listener that takes lines more time than one that takes keys', () => {
    const quietUntilInput = [false, true].map((isLineMode) => {
      let now = 0;
      const watch = new InputWatch(
        () => ({ kind: 'listening', isHidden: false, isLineMode, stamp: 'a' }),
        () => now,
      );
      watch.look(false);
      while (watch.look(false).waitingFor !== 'input') now += 50;
      return now;
    });

    expect(quietUntilInput).toEqual([250, 2_000]);
  });

  test('does not take a program that waits for an answer of its terminal for one that waits for a person', () => {
    let now = 0;
    const watch = new InputWatch(
      () => ({ kind: 'reading', isHidden: false, isLineMode: false, stamp: 'a' }),
      () => now,
    );
    const looks: string[] = [];
    const lookAt = (ms: number): void => {
      now = ms;
      looks.push(watch.look(false).waitingFor);
    };

    lookAt(100);
    watch.noteQuery();
    lookAt(400);
    lookAt(700);
    watch.noteQuery();
    lookAt(750);
    watch.noteAnswer();
    lookAt(760);

    expect(looks).toEqual(['input', 'none', 'input', 'none', 'input']);
  });

  test('lets a long input arrive piece by piece', () => {
    let now = 0;
    let stamp = 'before';
    const ask = () => ({ kind: 'reading', isHidden: false, isLineMode: true, stamp }) as const;
    const watch = new InputWatch(ask, () => now);
    watch.noteWrite(Buffer.alloc(30_000, 'x'), ask());
    const looks: string[] = [];
    for (const [ms, next] of [
      [5, 'first piece'],
      [10, 'second piece'],
      [20, 'second piece'],
      [30, 'second piece'],
    ] as const) {
      now = ms;
      stamp = next;
      looks.push(watch.look(false).waitingFor);
    }

    expect(looks).toEqual(['none', 'none', 'none', 'input']);
  });

  test('does not believe in a wait that began before something was typed', () => {
    let now = 0;
    let stamp = 'before';
    const ask = () => ({ kind: 'reading', isHidden: true, isLineMode: true, stamp }) as const;
    const watch = new InputWatch(ask, () => now);
    now = 1_000;
    watch.noteWrite(Buffer.from('\n'), ask());
    now = 2_000;
    const untouched = watch.look(false).waitingFor;
    stamp = 'after';

    expect([untouched, watch.look(false).waitingFor]).toEqual(['none', 'hidden']);
  });
});
