import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_ARGUMENT_BYTES } from '../../src/process/startChecks';
import { runProcess, startFailure, TERMINAL } from '../support/runProcess';
import { tempDir } from '../support/tempDir';

/** Every reason holds with and without a terminal: nothing may reach the system's own way of reporting it. */
describe.each([
  ['on a terminal', TERMINAL],
  ['on pipes', undefined],
])('%s, a program is not started and the reason is said', (_, terminal) => {
  test('when the working directory does not exist', async () => {
    expect(await startFailure({ terminal, cwd: '/no/such' })).toEqual({
      kind: 'badCwd',
      message: 'The working directory "/no/such" does not exist. Give the absolute path of an existing directory.',
    });
  });

  test('when the working directory is a file, or relative', async () => {
    const failures = [await startFailure({ terminal, cwd: '/etc/passwd' }), await startFailure({ terminal, cwd: 'src' })];

    expect(failures.map(({ message }) => message)).toEqual([
      'The working directory "/etc/passwd" is not a directory. Give the absolute path of an existing directory.',
      'The working directory "src" is not an absolute path. Give the absolute path of an existing directory.',
    ]);
  });

  test('when the shell is not there, not executable, or not on the PATH', async () => {
    const plainFile = path.join(tempDir(), 'shell');
    writeFileSync(plainFile, '');
    chmodSync(plainFile, 0o644);

    const failures = await Promise.all(
      ['/nonexistent', plainFile, 'no-such-shell', ''].map((shell) =>
        startFailure({ terminal, argv: [shell, '-c', 'true'] }),
      ),
    );

    expect(failures.map(({ kind, message }) => [kind, message.split('.')[0]])).toEqual([
      ['programNotFound', 'The program "/nonexistent" is not an executable file'],
      ['programNotFound', `The program "${plainFile}" is not an executable file`],
      ['programNotFound', 'The program "no-such-shell" was not found on the PATH'],
      ['programNotFound', 'The program "" was not found on the PATH'],
    ]);
  });

  test.each([
    ['a command', { command: 'echo a\0b' }, 'argument 3 (at offset 6)'],
    ['the directory', { cwd: '/tmp\0' }, 'the working directory (at offset 4)'],
    ['a variable', { env: { A: 'x\0' } }, 'the environment variable "A" (at offset 3)'],
  ])('when there is a NUL in %s', async (_where, spec, place) => {
    const failure = await startFailure({ terminal, ...spec });

    expect(failure).toMatchObject({ kind: 'nulByte', message: expect.stringContaining(place) });
  });

  test('when one argument is longer than the system takes', async () => {
    const failure = await startFailure({ terminal, command: `:${' '.repeat(140_000)}` });

    expect(failure.kind).toBe('argumentTooLong');
    expect(failure.message).toContain('Argument 3 has 140001 bytes; the system takes at most 131071.');
  });

  test('when everything together is longer than the system takes', async () => {
    const env = Object.fromEntries(
      Array.from({ length: 60 }, (_unused, index) => [`V${String(index)}`, 'x'.repeat(120_000)]),
    );

    const failure = await startFailure({ terminal, env });

    expect(failure).toMatchObject({ kind: 'argumentTooLong', message: expect.stringContaining('together have') });
  });

  test('but not when the longest argument just fits', async () => {
    const padding = ' '.repeat(MAX_ARGUMENT_BYTES - 1 - 'exit 7'.length);

    const ran = await runProcess({ terminal, command: `${padding}exit 7` });
    await ran.closed;

    expect(ran.events).toEqual(['exit code 7', 'closed']);
  });
});
