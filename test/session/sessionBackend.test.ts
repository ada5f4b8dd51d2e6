import { expect, it } from 'vitest';
import type { ProcessSpec } from '../../src/process/execProcess';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY } from '../../src/process/shellEnvironmentPolicy';
import type { Session } from '../../src/session/session';
import { SessionBackend } from '../../src/session/sessionBackend';
import type { SessionManager } from '../../src/session/sessionManager';
import { describePrograms } from '../process/programs';
import { createEnvironments } from '../support/environments';
import { runProcess, startFailure } from '../support/runProcess';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const marked = { 'gets just the environment that was asked for': 'it has the mark by which what it starts is found' };

describePrograms(() => new SessionBackend(createManager()), { terminal: marked, pipes: marked });

function onlySession(manager: SessionManager): Session {
  const [session, ...others] = manager.list();
  expect(others).toEqual([]);
  return session!;
}

it.each<[ProcessSpec['argv'], object]>([
  [['/bin/bash', '-lc', 'echo $0'], { title: 'echo $0', command: 'echo $0', shell: '/bin/bash', isLogin: true }],
  [['/bin/sh', '-c', '-x; true'], { command: "/bin/sh -c '-x; true'", isLogin: false }],
  [['/bin/echo', 'a b', "it's"], { command: String.raw`/bin/echo 'a b' 'it'\''s'`, isLogin: false }],
])('accounts for %j as a session with the command as people would write it', async (argv, expected) => {
  const manager = createManager();

  const ran = await runProcess({ argv, terminal: undefined }, new SessionBackend(manager));
  await ran.closed;

  expect(onlySession(manager).info).toMatchObject({ ...expected, startedBy: 'codex', isTerminal: false });
  expect(onlySession(manager).recentText(1_000)).toBe(ran.output());
});

it('gives a program what its own policy and that of the window leave of the variables, and adds none of a session', async () => {
  const policy = { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, exclude: ['WINDOW_*'] };
  const hostEnv = { PATH: process.env['PATH'], WINDOW_SECRET: '1', CODEX_SECRET: '2', KEPT: '3', PAGER: 'less' };
  const manager = createManager({ hostEnv, environmentPolicy: () => policy });

  const ran = await runProcess(
    { command: 'env', env: { TERM: 'dumb' }, envPolicy: { ...policy, exclude: ['CODEX_*'] }, terminal: undefined },
    new SessionBackend(manager),
  );
  await ran.closed;

  const names = ran.output().trim().split('\n').map((line) => line.split('=')[0]!); // prettier-ignore
  expect(names.filter((name) => !['PATH', 'PWD', 'SHLVL', '_'].includes(name)).sort()).toEqual([
    'EXEC_SESSIONS_SESSION',
    'KEPT',
    'PAGER',
    'TERM',
  ]);
});

it('can be restarted by a person: the same program, folder and variables', async () => {
  const manager = createManager();
  const folder = tempDir();
  const backend = new SessionBackend(manager);
  const argv = ['/bin/sh', '-c', 'pwd; echo "$0 $X"', 'named'] as const;
  const ran = await runProcess({ argv, cwd: folder, env: { X: 'y' }, terminal: undefined }, backend);
  await ran.closed;

  const again = await manager.restart(onlySession(manager), 'user');
  if (again.kind === 'failed') throw new Error(again.failure.message);
  await again.session.waitForEnd(20_000);

  expect([ran.output(), again.session.recentText(1_000)]).toEqual(Array(2).fill(`${folder}\nnamed y\n`));
  expect(again.session.info.startedBy).toBe('user');
});

it('says that its model has gone on when it types, and when its conversation starts the next program', async () => {
  const manager = createManager();
  const backend = new SessionBackend(manager);
  const left: string[] = [];
  manager.onDidLeaveRunning(({ info }) => left.push(info.title));
  const start = (name: string, thread: string): ReturnType<typeof runProcess> =>
    runProcess(
      { argv: ['/bin/sh', '-c', `read x; : ${name}`], env: { PATH: '/usr/bin:/bin', CODEX_THREAD_ID: thread } },
      backend,
    );

  const typed = await start('typed', 'a');
  await start('together', 'a');
  await typed.process.write(Buffer.from('\n'));
  await typed.closed;
  const startedAt = manager.list()[1]!.info.startedAt;
  await until('a model may have had a reply', () => Date.now() > startedAt + 300);
  await start('of another', 'b');
  await start('next', 'a');

  expect(left).toEqual(['read x; : typed', 'read x; : together']);
});

it('starts nothing on another machine, and says so where this one may not be used', async () => {
  const environments = createEnvironments({ includesLocal: false, defaultId: undefined });
  const backend = new SessionBackend(createManager({ environments }));

  expect(await startFailure({}, backend)).toMatchObject({
    kind: 'hostFailed',
    message: expect.stringContaining('no environment'),
  });
});
