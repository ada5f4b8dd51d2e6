import { describe, expect, test } from 'vitest';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY, type ShellEnvironmentPolicy } from '../../src/process/shellEnvironmentPolicy';
import { LocalBackend } from '../../src/process/localBackend';
import type { Session } from '../../src/session/session';
import { MAX_ENDED_SESSIONS } from '../../src/session/endedSessions';
import { createManager, startSession } from '../support/startSession';
import { until } from '../support/until';

const LONG_MS = 20_000;

async function outputOf(session: Session): Promise<string> {
  const reader = session.createReader();
  await session.waitForEnd(LONG_MS);
  return reader.read(1_000_000).text;
}

test('session ids are whole numbers that are hard to guess and never come twice', async () => {
  const manager = createManager();
  const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(manager, 'true')));
  const ids = sessions.map((session) => session.info.id);

  expect(new Set(ids).size).toBe(20);
  expect(ids.every((id) => Number.isInteger(id) && id >= 1_000 && id <= 999_999)).toBe(true);
  expect(ids.some((id, index) => index > 0 && id === (ids[index - 1] ?? 0) + 1)).toBe(false);
});

test('an ended session with its output stays for its time, then its id is known as expired', async () => {
  const manager = createManager({ endedRetentionMs: 100 });
  const removed: number[] = [];
  manager.onDidRemove((session) => removed.push(session.info.id));
  const session = await startSession(manager, 'sleep 0.1; echo late');
  const { id } = session.info;

  expect(await outputOf(session)).toBe('late\n');
  expect(manager.find(id)).toEqual({ kind: 'found', session });
  await until('it is forgotten', () => removed.length > 0);

  expect([removed, manager.list(), manager.find(id), manager.find(7)]).toEqual([
    [id],
    [],
    { kind: 'expired', state: session.state },
    { kind: 'unknown' },
  ]);
});

test('of ended sessions only so many are kept, running ones always', async () => {
  const manager = createManager();
  const running = await startSession(manager, 'sleep 30');
  const ended: Session[] = [];
  for (let count = 0; count < MAX_ENDED_SESSIONS + 3; count++) {
    const session = await startSession(manager, 'true');
    await session.waitForEnd(LONG_MS);
    ended.push(session);
  }

  expect(manager.list()).toEqual([running, ...ended.slice(3)]);
});

test('sessions side by side never mix their output', async () => {
  const manager = createManager();
  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  const outputs = await Promise.all(
    letters.map(async (letter) => outputOf(await startSession(manager, `for i in $(seq 300); do echo ${letter}:$i; done`))),
  );

  const expected = (letter: string): string =>
    Array.from({ length: 300 }, (_, index) => `${letter}:${String(index + 1)}\n`).join('');
  expect(outputs).toEqual(letters.map(expected));
});

test('shutting down ends everything that runs and lets nothing more start', async () => {
  const manager = createManager();
  const session = await startSession(manager, 'sleep 303 & sleep 303');

  await manager.shutDown();

  expect(() => process.kill(session.pid, 0)).toThrow('ESRCH');
  expect([session.state.kind, manager.list()]).toEqual(['ended', []]);
  expect(await manager.start({ command: 'true', terminal: undefined, startedBy: 'chat' })).toMatchObject({
    kind: 'failed',
    failure: { kind: 'shutDown' },
  });
});

test('who follows the manager hears of every start, change and end', async () => {
  const manager = createManager();
  const heard: string[] = [];
  manager.onDidAdd((session) => heard.push(`added ${session.info.title}`));
  manager.onDidChange((session) => heard.push(`changed to ${session.state.kind}`));

  const session = await startSession(manager, 'true', { title: 'Nothing' });
  await session.waitForEnd(LONG_MS);

  expect(heard).toEqual(['added Nothing', 'changed to ended']);
});

test('a restart runs the same again for another person: folder, shell, variables, input, title', async () => {
  const manager = createManager();
  const first = await startSession(manager, 'pwd; echo "$0 $COLOUR ${PAGER-no pager}"; cat', {
    shell: '/bin/sh',
    cwd: '/usr',
    env: { COLOUR: 'green' },
    terminal: undefined,
    stdin: Buffer.from('input\n'),
    title: 'mine',
  });
  await first.waitForEnd(LONG_MS);

  const again = await manager.restart(first, 'user');

  if (again.kind === 'failed') throw new Error(again.failure.message);
  expect(again.session.info).toMatchObject({ title: 'mine', startedBy: 'user', cwd: '/usr', shell: '/bin/sh' });
  expect(again.session.info.id).not.toBe(first.info.id);
  expect(await outputOf(again.session)).toBe('/usr\n/bin/sh green cat\ninput\n');
});

describe('a session starts', () => {
  test('in the default directory and shell unless it says otherwise', async () => {
    const manager = createManager({ defaultCwd: () => '/usr', defaultShell: () => '/bin/sh' });

    const byDefault = await startSession(manager, 'pwd; echo $0');
    const otherwise = await startSession(manager, 'pwd; echo $0', { cwd: '/etc', shell: '/bin/bash' });

    expect([await outputOf(byDefault), await outputOf(otherwise)]).toEqual(['/usr\n/bin/sh\n', '/etc\n/bin/bash\n']);
  });

  test('with the environment of the host, less what belongs to the host', async () => {
    const hostEnv = {
      PATH: process.env['PATH'],
      LANG: 'en_US.UTF-8',
      KEPT: 'yes',
      FAKE_API_KEY: '1',
      VSCODE_IPC_HOOK_CLI: '/tmp/x',
      ELECTRON_RUN_AS_NODE: '1',
      EXEC_SESSIONS_TOKEN: 'secret',
      TERM_PROGRAM: 'vscode',
      TMUX: '/tmp/tmux',
    };
    const manager = createManager({ hostEnv });

    const session = await startSession(manager, 'env', {
      cwd: '/',
      env: { EXTRA: 'x y', KEPT: 'changed' },
      startedBy: 'user',
    });

    const names = (await outputOf(session))
      .split('\n')
      .filter((line) => !/^(PATH|SHLVL|_|OLDPWD|EXEC_SESSIONS_SESSION)=|^$/.test(line));
    expect(names.sort()).toEqual([
      'EXTRA=x y',
      'FAKE_API_KEY=1',
      'KEPT=changed',
      'LANG=en_US.UTF-8',
      'PWD=/',
      'TERM=xterm-256color',
    ]);
  });

  test('with what the policy lets through', async () => {
    const hostEnv = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: '/', FAKE_API_KEY: '1', EDITOR: 'vi' };
    const environmentPolicy = (): ShellEnvironmentPolicy => ({
      ...DEFAULT_SHELL_ENVIRONMENT_POLICY,
      ignoreDefaultExcludes: false,
      set: { ADDED: 'x' },
    });
    const manager = createManager({ hostEnv, environmentPolicy });

    const output = await outputOf(await startSession(manager, 'echo "$FAKE_API_KEY|$EDITOR|$ADDED"', { cwd: '/' }));

    expect(output).toBe('|vi|x\n');
  });

  test.each([
    ['by an agent', 'chat', undefined, 'cat cat'],
    ['by a user', 'user', undefined, 'less more'],
    ['by an agent where the pagers are left alone', 'codex', () => false, 'less more'],
  ] as const)('with pagers that do not wait only when it is started %s', async (_, startedBy, hasAgentPagers, expected) => {
    const hostEnv = { PATH: process.env['PATH'], PAGER: 'less', GIT_PAGER: 'more' };
    const manager = createManager({ hostEnv, ...(hasAgentPagers !== undefined && { hasAgentPagers }) });

    const session = await startSession(manager, 'echo $PAGER $GIT_PAGER', { cwd: '/', startedBy });

    expect(await outputOf(session)).toBe(`${expected}\n`);
  });

  test.each([
    [{}, 'LC_CTYPE=C.UTF-8'],
    [{ LANG: 'C' }, 'LANG=C LC_CTYPE=C.UTF-8'],
    [{ LC_ALL: 'C' }, 'LC_ALL=C.UTF-8'],
    [{ LANG: 'de_DE.UTF-8' }, 'LANG=de_DE.UTF-8'],
    [{ LANG: 'de_DE.utf8', LC_ALL: '' }, 'LANG=de_DE.utf8 LC_ALL='],
  ])('with a language that has every character, from %j', async (locale, expected) => {
    const manager = createManager({ hostEnv: { PATH: process.env['PATH'], ...locale } });

    const output = await outputOf(
      await startSession(manager, "env | grep -E '^(LANG|LC_)' | sort | tr '\\n' ' '", { cwd: '/' }),
    );

    expect(output.trim()).toBe(expected);
  });

  test('as a login shell when asked to', async () => {
    const manager = createManager();

    const outputs = await Promise.all(
      [true, false].map(async (isLogin) => outputOf(await startSession(manager, 'shopt login_shell', { isLogin }))),
    );

    expect(outputs).toEqual(['login_shell    \ton\n', 'login_shell    \toff\n']);
  });

  test.each([
    'echo "a  b" \'$HOME\' $((1+1)) # comment',
    "printf '%s' \\\\",
    'cat <<EOF\nhi\nEOF',
    'if true; then\necho y\nfi',
    '-x 2>/dev/null || echo y',
  ])('with exactly the text of its command: %j', async (command) => {
    const manager = createManager();
    const { execFileSync } = await import('node:child_process');
    const expected = execFileSync('/bin/bash', ['-c', '--', command], { encoding: 'utf8' });

    expect(await outputOf(await startSession(manager, command))).toBe(expected);
  });
});

test('many sessions that start at once leave turns of the event loop to others, and keep their order', async () => {
  const backend = new LocalBackend();
  const manager = createManager({
    backend: {
      start: (spec) => {
        for (const endMs = performance.now() + 10; performance.now() < endMs;);
        return backend.start(spec);
      },
    },
  });
  let turns = 0;
  let isCounting = true;
  const count = (): void => {
    turns++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const started: number[] = [];

  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      await startSession(manager, 'true');
      started.push(index);
    }),
  );
  isCounting = false;

  expect(turns).toBeGreaterThanOrEqual(4);
  expect(started).toEqual(Array.from({ length: 12 }, (_, index) => index));
});
