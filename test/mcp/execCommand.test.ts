import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';

describe('exec_command', () => {
  it('replies with the output first and how it ended last, and with the same facts in structured form', async () => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));

    const reply = await client.exec('echo one; echo two >&2; exit 3');

    expect(reply).toEqual({
      blocks: ['one\ntwo\n', expect.stringMatching(/^Session \d+ ended after [\d.]+ s: exit code 3, run by \/bin\/bash\.$/)],
      status: reply.blocks[1],
      links: [],
      isError: false,
      structured: {
        output: 'one\ntwo\n',
        status: reply.blocks[1],
        sessionId: expect.any(Number),
        isRunning: false,
        waitingFor: 'none',
        isScreen: false,
        exitCode: 3,
        endReason: 'exited',
        isOutputHeld: false,
        wallTimeMs: expect.any(Number),
        totalBytes: 8,
        omitted: { bytes: 0, lines: 0 },
        holder: 'shared',
        typedByUserBytes: 0,
        shell: '/bin/bash',
        isLogin: false,
        cwd,
        isTerminal: true,
      },
    });
  });

  it('names the shell, and whether it has read the login profile', async () => {
    const client = await startClient();

    const replies = await Promise.all([client.exec('true', { login: true }), client.exec('true', { shell: 'sh' })]);

    expect(replies.map(({ status, structured }) => [status.split('run by ')[1], structured.isLogin])).toEqual([
      ['/bin/bash as a login shell.', true],
      ['sh.', false],
    ]);
  });

  it('tells once that the login profile is slow, when enough commands have shown it', async () => {
    const home = tempDir();
    writeFileSync(path.join(home, '.bash_profile'), 'sleep 0.35\n');
    const client = await startClient(createManager({ hostEnv: { PATH: process.env['PATH'], HOME: home } }));
    const told: boolean[] = [];

    for (let count = 0; count < 7; count++) {
      const { status } = await client.exec('true', { login: true });
      told.push(/Every command here takes at least 0\.\d+ s, probably its login profile/.test(status));
    }

    expect(told).toEqual([false, false, false, false, true, false, false]);
  });

  it('reports exit code 0 as a value', async () => {
    const client = await startClient();

    const { structured, status } = await client.exec('true');

    expect(structured.exitCode).toBe(0);
    expect(status).toMatch(/exit code 0, run by \/bin\/bash\.$/);
  });

  it('leaves the output block out when nothing was printed, because model APIs refuse empty ones', async () => {
    const client = await startClient();

    const { blocks, structured } = await client.exec('true');

    expect({ count: blocks.length, output: structured.output }).toEqual({ count: 1, output: '' });
  });

  it('replies at the deadline with what there is, and how to go on', async () => {
    const client = await startClient();

    const { blocks, structured } = await client.exec('echo so far; sleep 60', { yield_time_ms: 300 });

    const id = structured.sessionId;
    expect(blocks).toEqual([
      'so far\n',
      expect.stringMatching(
        new RegExp(
          `^Session ${String(id)} is still running after [\\d.]+ s\\. To see what comes next, call write_stdin with session_id ${String(id)} and chars ""`,
        ),
      ),
    ]);
    expect(structured).toMatchObject({ isRunning: true });
    expect(structured).not.toHaveProperty('exitCode');
    expect(structured).not.toHaveProperty('endReason');
  });

  it('keeps the beginning and the end of a long output and counts what is missing', async () => {
    const client = await startClient();

    const { blocks, structured, status } = await client.exec('seq 1 200000; echo FATAL', { max_output_tokens: 100 });

    const kept = blocks[0]!.split('\n').filter((line) => /^(\d+|FATAL)$/.test(line));
    const keptBytes = kept.join('\n').length + 1;
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['1', '200000', 'FATAL']);
    expect(kept.length).toBeLessThan(200);
    expect(structured.omitted).toEqual({ bytes: 1_288_901 - keptBytes, lines: 200_001 - kept.length });
    expect(structured.totalBytes).toBe(1_288_901);
    expect(status).toContain(`Omitted from its middle: ${structured.omitted.bytes.toLocaleString('en-US')} bytes`);
  });

  it('gives a program the environment, the folder, the shell and the size that were asked for', async () => {
    const cwd = tempDir();
    mkdirSync(path.join(cwd, 'inner'));
    const client = await startClient(createManager({ defaultCwd: () => cwd }));

    const { structured } = await client.exec('echo "$0 $A $PWD $(stty size)"', {
      shell: '/bin/sh',
      env: { A: 'b c' },
      workdir: 'inner',
      cols: 132,
      rows: 43,
    });

    expect(structured.output).toBe(`/bin/sh b c ${path.join(cwd, 'inner')} 43 132\n`);
  });

  it('takes a working directory with a tilde literally', async () => {
    const cwd = tempDir();
    mkdirSync(path.join(cwd, '~'));
    const client = await startClient(createManager({ defaultCwd: () => cwd }));

    const { structured } = await client.exec('pwd', { workdir: '~' });

    expect(structured.output).toBe(`${path.join(cwd, '~')}\n`);
  });

  it('runs a login shell unless told otherwise', async () => {
    const home = realpathSync(tempDir());
    writeFileSync(path.join(home, '.bash_profile'), 'export FROM_PROFILE=yes\n');
    const client = await startClient(createManager({ hostEnv: { PATH: process.env['PATH'], HOME: home } }));
    const cmd = 'echo "profile: ${FROM_PROFILE:-no}"';

    const replies = [
      await client.call('exec_command', { cmd }),
      await client.call('exec_command', { cmd, login: true }),
      await client.call('exec_command', { cmd, login: false }),
    ];

    expect(replies.map(({ structured }) => structured.output)).toEqual([
      'profile: yes\n',
      'profile: yes\n',
      'profile: no\n',
    ]);
  });

  it('runs without a terminal when asked, with an empty standard input', async () => {
    const client = await startClient();

    const { structured } = await client.exec('tty; cat; echo end', { tty: false });

    expect(structured).toMatchObject({ output: 'not a tty\nend\n', exitCode: 0, isTerminal: false });
  });

  it('uses the title in the list', async () => {
    const client = await startClient();

    await client.exec('true', { title: 'Say yes' });

    expect((await client.list()).map(({ title, command }) => ({ title, command }))).toEqual([
      { title: 'Say yes', command: 'true' },
    ]);
  });

  it('is also known under its older name', async () => {
    const client = await startClient();

    const { structured } = await client.call('functions_exec_command', { cmd: 'echo old', login: false });

    expect(structured.output).toBe('old\n');
  });

  it.each([
    [
      'a folder that does not exist',
      { workdir: '/no/such/folder' },
      /working directory "\/no\/such\/folder" does not exist/,
    ],
    ['a folder that is a file', { workdir: '/etc/passwd' }, /working directory "\/etc\/passwd" is not a directory/],
    ['a shell that does not exist', { shell: '/no/such/shell' }, /program "\/no\/such\/shell" is not an executable file/],
    [
      'a command that is too long for the system',
      { cmd: `:${' '.repeat(140_000)}` },
      /140001 bytes; the system takes at most/,
    ],
  ])('refuses %s before anything runs', async (_what, args, message) => {
    const client = await startClient();

    const reply = await client.call('exec_command', { cmd: 'echo ran', login: false, ...args });

    expect(reply).toMatchObject({ isError: true, blocks: [expect.stringMatching(message)], structured: undefined });
    expect(await client.list()).toEqual([]);
  });

  it('says for programs of which kind a failure is', async () => {
    const { client } = await startClient();

    const result = await client.callTool({ name: 'exec_command', arguments: { cmd: 'true', workdir: '/no/such' } });

    expect(result._meta).toEqual({ 'exec-sessions/errorKind': 'badCwd' });
  });
});
