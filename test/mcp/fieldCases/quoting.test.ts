import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

describe('the text of a command', () => {
  it('may hold real newlines inside quotes', async () => {
    const client = await startClient();

    const { structured } = await client.exec(
      `"${process.execPath}" -e "setTimeout(() => {\n  console.log('done')\n}, 100)"`,
    );

    expect(structured).toMatchObject({ output: 'done\n', exitCode: 0 });
  });

  it('may be a subshell', async () => {
    const client = await startClient();

    const { structured } = await client.exec('(sleep 0.2; echo x)');

    expect(structured).toMatchObject({ output: 'x\n', exitCode: 0 });
  });

  it('may have several lines, which one process runs as a script', async () => {
    const client = await startClient();

    const { structured } = await client.exec('A=$$; echo 1\nfalse\necho 3; [ $A = $$ ]');

    expect(structured).toMatchObject({ output: '1\n3\n', exitCode: 0 });
  });

  it.each([
    ['a here-document without a last newline', 'cat <<EOF\nhi\nEOF'],
    ['a comment at its end', 'echo hi # c'],
    ['a backslash at its end', 'echo hi \\'],
    ['a block over several lines', 'if true; then\necho y\nfi'],
    ['a dash at its beginning', '-v'],
    ['spaces around it', '  echo "  a  b  "  '],
    ['every kind of quote', `echo 'a"b' "c'd" $'e\\'f' "\`echo g\`" "$(echo h)" \\$i`],
    ['an open quote', 'echo "open'],
    ['characters of other scripts', 'echo "żółw 模式 🎉"'],
    ['carriage returns', 'echo a\r\necho b'],
    ['nothing', ''],
  ])('means the same as with bash -c: %s', async (_what, cmd) => {
    const client = await startClient();

    const { structured } = await client.exec(cmd, { tty: false, env: { LANG: 'C.UTF-8' } });

    const expected = spawnSync('/bin/bash', ['-c', cmd.startsWith('-') ? ` ${cmd}` : cmd], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LANG: 'C.UTF-8', PATH: process.env['PATH'] },
    });
    // What a reader sees of a carriage return is its effect; everything else stays byte for byte.
    const [output, wanted] = [structured.output, expected.stdout + expected.stderr].map((text) => text.replaceAll('\r', ''));
    expect({ output, exitCode: structured.exitCode }).toEqual({ output: wanted, exitCode: expected.status });
  });

  it('puts nothing of ours into a file that an unterminated here-document swallows', async () => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));

    const { structured } = await client.exec('cat > f <<EOF\nx');

    expect(readFileSync(path.join(cwd, 'f'), 'utf8')).toBe('x\n');
    expect(structured).toMatchObject({ output: expect.stringContaining('here-document'), exitCode: 0 });
  });

  it('is not cut silently when it is too long for the system', async () => {
    const client = await startClient();

    const reply = await client.exec(`:${' '.repeat(140_000)}`);

    expect(reply).toMatchObject({
      isError: true,
      status: expect.stringMatching(/140001 bytes; the system takes at most 131071\./),
    });
  });

  it('is not cut silently at a NUL', async () => {
    const client = await startClient();

    const reply = await client.exec('echo a\0b');

    expect(reply).toMatchObject({ isError: true, status: expect.stringContaining('cmd: a NUL character is not allowed') });
  });

  it.skipIf(!existsSync('/usr/bin/fish') && !existsSync('/bin/fish'))(
    'in the syntax of another shell fails at once, and the reply names the shell',
    async () => {
      const client = await startClient();

      const { structured, status } = await client.exec('cat <<EOF\nhi\nEOF', { shell: 'fish' });

      expect(structured).toMatchObject({ isRunning: false, output: expect.stringContaining('redirection') });
      expect(status).toMatch(/exit code \d+, run by fish\.$/);
    },
  );
});

describe('typed text', () => {
  it('arrives whole although its line is longer than a terminal holds', async () => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const id = await client.execUntil('stty -echo; echo ready; cat > f', 'ready');

    await client.write(id, `${'A'.repeat(5_000)}\n`, { yield_time_ms: 0 });
    const { structured } = await client.write(id, '\u0004', { yield_time_ms: 60_000 });

    expect(structured).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path.join(cwd, 'f'), 'utf8')).toBe(`${'A'.repeat(5_000)}\n`);
  });
});
