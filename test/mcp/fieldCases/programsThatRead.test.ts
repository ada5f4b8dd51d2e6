import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

/** Far above what a program needs to start, far below the time that the calls would wait. */
const SOON_MS = 5_000;
const LONG = { yield_time_ms: 60_000 };
const CTRL_D = '\u0004';
const UP = '\u001b[A';
const LEFT = '\u001b[D';

describe('a program that reads input without a terminal', () => {
  it.each([
    ['cat', '', 0],
    ['read x; echo $?', '1\n', 0],
    ['sort | wc -l', '0\n', 0],
    ['(cat; exit 3)', '', 3],
    ["sh -c 'sh -c cat'; echo end", 'end\n', 0],
    [`"${process.execPath}" -e "process.stdin.on('end', () => console.log('eof')).resume()"`, 'eof\n', 0],
    [`python3 -c "import sys; print(repr(sys.stdin.read()))"`, "''\n", 0],
    ['bash -i 2>/dev/null; echo $?', '0\n', 0],
  ])('finds the end of it at once: %s', async (cmd, output, exitCode) => {
    const client = await startClient();

    const { structured } = await client.exec(cmd, { tty: false, ...LONG });

    expect(structured).toMatchObject({ output, exitCode, waitingFor: 'none' });
    expect(structured.wallTimeMs).toBeLessThan(SOON_MS);
  });
});

describe('a program that only looks as if it asked', () => {
  const isLinux = process.platform === 'linux';

  it
    .runIf(isLinux)
    .each([
      ["echo 'Proceed? (y/n)'"],
      ["echo 'Password:'"],
      ["printf 'Password: '"],
      ["printf '[sudo] password for me: '"],
      ["printf 'Are you sure you want to continue connecting (yes/no/[fingerprint])? '"],
      ["printf 'Press any key to continue . . . '"],
      ["printf '>>> '"],
      ["printf 'user@host:~$ '"],
      ["printf '(END)'"],
      ["printf 'Enter your name:\\n> '"],
    ])('is not reported as waiting: %s', async (prompt) => {
    const client = await startClient();

    const { structured, status } = await client.exec(`${prompt}; sleep 0.7; echo; echo done; exit 5`, {
      yield_time_ms: 400,
    });
    const listed = (await client.list())[0];
    const end = await client.poll(structured.sessionId, LONG);

    expect([structured.isRunning, structured.waitingFor, listed?.waitingFor]).toEqual([true, 'none', 'none']);
    expect(status).not.toContain('It waits for');
    expect(end.structured).toMatchObject({ output: expect.stringMatching(/\ndone\n$|^done\n$/), exitCode: 5 });
  });

  it.runIf(isLinux).each([
    ['reads from a pipe', 'sleep 0.7 | cat'],
    ['reads from a file that nobody writes', 'mkfifo f; (sleep 0.7; echo x > f) & read line < f'],
    ['waits for a lock', '(flock 9; sleep 0.7) 9> lock & sleep 0.1; flock 9 9> lock'],
    [
      'waits for a socket',
      `"${process.execPath}" -e "require('net').createServer().listen(0); setTimeout(process.exit, 700)"`,
    ],
    ['works without a word', 'end=$((SECONDS + 2)); while [ $SECONDS -lt $end ]; do :; done'],
  ])('because it asked before and now %s is not reported either', async (_what, work) => {
    const client = await startClient();

    const { structured } = await client.exec(`printf 'Continue? [Y/n] '; ${work}`, LONG);

    expect(structured).toMatchObject({ isRunning: false, exitCode: 0, output: expect.stringContaining('Continue? [Y/n]') });
  });

  it.runIf(isLinux)('tells nothing to a client that follows it, until it ends', async () => {
    const client = await startClient();
    const id = await client.execUntil("printf 'Proceed? (y/n) '; sleep 1", 'Proceed?');
    let updates = 0;
    client.client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => {
      updates++;
    });
    await client.client.subscribeResource({ uri: `exec-session://${String(id)}/transcript` });

    const before = await client.poll(id, { yield_time_ms: 300 });
    const told = updates;
    await client.poll(id, LONG);

    expect([before.structured.isRunning, told]).toEqual([true, 0]);
  });
});

describe.runIf(process.platform === 'linux')('a program that asks', () => {
  const questions: [string, { setUp: string; cmd: string; question: RegExp; answer: string; after: RegExp }][] = [
    [
      'whether to overwrite a file',
      {
        setUp: 'printf old > target; printf new > source',
        cmd: 'cp -i source target; cat target',
        question: /overwrite.*target.*\? $/,
        answer: 'y\n',
        after: /^y\nnew$/,
      },
    ],
    [
      'whether to remove a file',
      { setUp: 'touch doomed', cmd: 'rm -i doomed; ls', question: /remove.*doomed.*\? $/, answer: 'y\n', after: /^y\n$/ },
    ],
    [
      'for a choice',
      {
        setUp: 'true',
        cmd: 'select colour in red green; do echo "chose $colour"; break; done',
        question: /1\) red\n2\) green\n#\? $/,
        answer: '2\n',
        after: /^2\nchose green\n$/,
      },
    ],
    [
      'for one key',
      {
        setUp: 'true',
        cmd: 'read -n 1 -p \'Really? \' key; echo; echo "got $key"',
        question: /^Really\? $/,
        answer: 'y',
        after: /^y\ngot y\n$/,
      },
    ],
    [
      'from deep inside',
      {
        setUp: 'true',
        cmd: `sh -c 'sh -c "python3 -c \\"print(input(chr(63)))\\""'`,
        question: /^\?$/,
        answer: 'é\n',
        after: /^é\né\n$/,
      },
    ],
  ];

  it.each(questions)('%s is reported with its question, and goes on with the answer', async (_what, spec) => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    await client.exec(spec.setUp);

    const asked = await client.exec(spec.cmd, LONG);
    const answered = await client.write(asked.structured.sessionId, spec.answer, LONG);

    expect(asked.structured).toMatchObject({ isRunning: true, waitingFor: 'input' });
    expect(asked.structured.wallTimeMs).toBeLessThan(SOON_MS);
    expect(asked.structured.output).toMatch(spec.question);
    expect(asked.status).toContain('It waits for input.');
    expect(answered.structured).toMatchObject({ exitCode: 0, output: expect.stringMatching(spec.after) });
  });

  it.each(['agent', 'user'] as const)('in the way of ssh-keygen can be answered by the %s', async (who) => {
    const folder = tempDir();
    const manager = createManager({ defaultCwd: () => folder });
    const client = await startClient(manager);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(folder, 'k')]);

    const asked = await client.exec("ssh-keygen -q -t ed25519 -f k -N ''", LONG);
    const id = asked.structured.sessionId;
    if (who === 'user') await manager.list()[0]!.write(Buffer.from('y\n'), 'user');
    const ended = who === 'user' ? await client.poll(id, LONG) : await client.write(id, 'y\n', LONG);

    expect(asked.structured.output).toMatch(/Overwrite \(y\/n\)\? $/);
    expect(ended.structured).toMatchObject({ exitCode: 0, typedByUserBytes: who === 'user' ? 2 : 0 });
  });

  it('for a secret gets it from the user, and the agent never sees it', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const cmd = `python3 -c "import getpass; print(len(getpass.getpass('Passphrase: ')))"`;

    const asked = await client.exec(cmd, LONG);
    await manager.list()[0]!.write(Buffer.from('hunter2\n'), 'user');
    const ended = await client.poll(asked.structured.sessionId, LONG);
    const again = await client.call('read_output', { session_id: asked.structured.sessionId });

    expect(asked.structured).toMatchObject({ output: 'Passphrase: ', waitingFor: 'hidden' });
    expect(ended.structured).toMatchObject({ output: '\n7\n', exitCode: 0, isHiddenTypedByUser: true });
    expect(JSON.stringify([asked, ended, again])).not.toContain('hunter2');
  });

  it('again and again is reported each time', async () => {
    const client = await startClient();
    const { structured } = await client.exec('for i in 1 2 3; do read -p "$i? " x; done; echo all', LONG);

    const replies = [];
    for (const chars of ['a\n', 'b\n', 'c\n']) replies.push(await client.write(structured.sessionId, chars, LONG));

    expect(replies.map(({ structured: { output, waitingFor } }) => [output, waitingFor])).toEqual([
      ['a\n2? ', 'input'],
      ['b\n3? ', 'input'],
      ['c\nall\n', 'none'],
    ]);
  });
});

describe.runIf(process.platform === 'linux')('keys', () => {
  it('make a calculator of an interpreter, and Ctrl-D ends it', async () => {
    const client = await startClient();
    const { sessionId } = (await client.exec('python3 -i', LONG)).structured;

    const sum = await client.write(sessionId, '1+1\n', LONG);
    const end = await client.write(sessionId, CTRL_D, LONG);

    expect(sum.structured).toMatchObject({ output: '1+1\n2\n>>> ', waitingFor: 'input' });
    expect(end.structured).toMatchObject({ isRunning: false, exitCode: 0 });
  });

  it.each([
    ['the last command again', ['echo one\n', `${UP}\n`], /one\n[^]*one\n/],
    ['the one before that', ['echo one\n', 'echo two\n', `${UP}${UP}\n`], /one\n[^]*two\n[^]*one\n/],
    ['the place to go on writing', [`echo ac${LEFT}b\n`], /\nabc\n/],
    ['the beginning of the line', ['cho begun\u0001e\n'], /\nbegun\n/],
    ['nothing of what was typed', ['echo gone\u0015echo kept\n'], /\nkept\n/],
    ['a word less', ['echo two one\u0017three\n'], /\ntwo three\n/],
    ['a name', ['echo uniq\t\n'], /\nunique-name\n/],
    ['a search', ['echo needle\n', '\u0012need\n'], /needle\n[^]*needle\n/],
    ['a new prompt, with Ctrl-C', ['echo never\u0003', 'echo after\n'], /\nafter\n/],
    ['a job that stops and goes on', ['cat\n', '\u001a', 'fg\n', `seen\n`, CTRL_D], /Stopped[^]*\nseen\nseen\n/],
  ])('give a shell %s', async (_what, writes, expected) => {
    const cwd = tempDir();
    writeFileSync(path.join(cwd, 'unique-name'), '');
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const { sessionId } = (await client.exec("PS1='> ' exec bash --norc --noprofile -i", LONG)).structured;

    let output = '';
    for (const chars of writes) output += (await client.write(sessionId, chars, LONG)).structured.output;
    if (!expected.test(output)) output += await client.pollUntil(sessionId, '> ');

    expect(output).toMatch(expected);
  });

  it.each([
    ['Ctrl-C', '\u0003', 'SIGINT'],
    ['Ctrl-\\', '\u001c', 'SIGQUIT'],
  ])('end a program as they do in a terminal: %s', async (_name, chars, signal) => {
    const client = await startClient();
    const id = await client.execUntil('ulimit -c 0; echo ready; exec sleep 60', 'ready');

    const { structured } = await client.write(id, chars, LONG);

    expect(structured).toMatchObject({ signal, endReason: 'signal' });
  });
});

describe('what is written to a program that reads lines', () => {
  it.each([
    ['spaces in front, a line break, and no end', '  a\nb'],
    ['tabs and spaces at the end of a line', '\ta \t \n'],
    ['empty lines', '\n\n\n'],
    ['characters of every length', 'é ≤ 漢字 😀 👩‍👩‍👧\n'],
    ['what a shell would take for its own', '$HOME `id` $(id) "\' \\ ! # & ; > /dev/null\n'],
    ['one letter', 'x'],
    ['a long text of many lines', `${'0123456789'.repeat(30)}\n`.repeat(100)],
  ])('arrives as it was, with nothing trimmed, folded or added: %s', async (_what, chars) => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const id = await client.execUntil('stty -echo; echo ready; cat > typed', 'ready');

    await client.write(id, chars, { yield_time_ms: 0 });
    // In the middle of a line the first only hands over what there is of it.
    const { structured } = await client.write(id, chars.endsWith('\n') ? CTRL_D : CTRL_D + CTRL_D, LONG);

    expect(structured).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path.join(cwd, 'typed'), 'utf8')).toBe(chars);
  });
});
