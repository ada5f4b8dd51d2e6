import { describe, expect, it } from 'vitest';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY, type ShellEnvironmentPolicy } from '../../src/process/shellEnvironmentPolicy';
import { startClient } from '../support/startClient';
import { createManager, startSession } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

describe('list_sessions', () => {
  it('tells of every session how it stands, in words and in structured form', async () => {
    const cwd = tempDir();
    const manager = createManager({ defaultCwd: () => cwd });
    const client = await startClient(manager, { starter: 'cliAgent' });
    await client.exec('exit 0');
    await client.exec('kill -TERM $$', { tty: false });
    await startSession(manager, 'sleep 60', { startedBy: 'user', title: 'Nap', shell: '/bin/sh' });

    const { blocks } = await client.call('list_sessions', {});

    const place = { isTerminal: true, cwd, shell: '/bin/bash' };
    const common = {
      waitingFor: 'none',
      hasUnread: false,
      startedBy: 'cliAgent',
      client: 'test',
      holder: 'shared',
      ...place,
    };
    const numbers = {
      sessionId: expect.any(Number),
      wallTimeMs: expect.any(Number),
      ageMs: expect.any(Number),
      pid: expect.any(Number),
    };
    expect(await client.list()).toEqual([
      { ...common, ...numbers, title: 'exit 0', command: 'exit 0', isRunning: false, exitCode: 0, endReason: 'exited' },
      {
        ...common,
        ...numbers,
        title: 'kill -TERM $$',
        command: 'kill -TERM $$',
        isRunning: false,
        signal: 'SIGTERM',
        endReason: 'signal',
        isTerminal: false,
      },
      {
        ...place,
        ...numbers,
        waitingFor: 'none',
        hasUnread: false,
        startedBy: 'user',
        holder: 'shared',
        title: 'Nap',
        command: 'sleep 60',
        isRunning: true,
        shell: '/bin/sh',
      },
    ]);
    expect(
      blocks
        .join()
        .replaceAll(/^\d+(?=:)|(?<=after )[\d.]+|(?<=pid )\d+/gm, 'N')
        .split('\n'),
    ).toEqual([
      `N: "exit 0", exit code 0 after N s, started by an agent (test), in ${cwd}, /bin/bash, pid N`,
      `N: "kill -TERM $$", signal SIGTERM after N s, started by an agent (test), in ${cwd}, /bin/bash, without a terminal, pid N`,
      `N: "sleep 60" ("Nap"), running after N s, started by the user, in ${cwd}, /bin/sh, pid N`,
    ]);
  });

  it('names the variables that the environment policy kept from a session, and no values', async () => {
    const hostEnv = { PATH: process.env['PATH'], GH_TOKEN: 'value', OTHER_TOKEN: 'value' };
    const environmentPolicy = (): ShellEnvironmentPolicy => ({
      ...DEFAULT_SHELL_ENVIRONMENT_POLICY,
      ignoreDefaultExcludes: false,
    });
    const client = await startClient(createManager({ hostEnv, environmentPolicy }));
    await client.exec('true', { env: { OTHER_TOKEN: 'given' } });

    const [session] = await client.list();

    expect(session?.omittedVariables).toEqual(['GH_TOKEN']);
    expect(JSON.stringify(session)).not.toContain('value');
  });

  it('says for each client on its own whether there is output that it has not seen', async () => {
    const manager = createManager();
    const [first, second] = [await startClient(manager), await startClient(manager)];
    const { structured } = await first.exec('echo once');
    await first.exec('true');

    const before = [await first.list(), await second.list()];
    await second.poll(structured.sessionId);
    const after = await second.list();

    expect([...before, after].map((sessions) => sessions.map(({ hasUnread }) => hasUnread))).toEqual([
      [false, false],
      [true, false],
      [false, false],
    ]);
  });

  it('does not take the output away from the next poll', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const session = await startSession(manager, 'echo kept');
    await until('it has ended', () => session.state.kind === 'ended');

    await client.list();
    const { structured } = await client.poll(session.info.id);

    expect(structured.output).toBe('kept\n');
  });

  it('says so when there is none', async () => {
    const client = await startClient();

    const { blocks, structured } = await client.call('list_sessions', {});

    expect({ blocks, structured }).toEqual({ blocks: ['No session exists now.'], structured: { sessions: [] } });
  });

  it('names an interactive shell by its title and shortens a long command to one line', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    await startSession(manager, '', { command: undefined, title: 'Shared shell' });
    await client.exec(`true\n${' '.repeat(50)}# ${'x'.repeat(200)}`);

    const { blocks } = await client.call('list_sessions', {});

    const commands = blocks[0]!.split('\n').map((line) => /^\d+: (".*?")/.exec(line)?.[1]);
    expect(commands).toEqual(['"Shared shell"', `"true # ${'x'.repeat(73)}…"`]);
  });
});
