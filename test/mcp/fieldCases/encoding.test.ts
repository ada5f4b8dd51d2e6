import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
const REPLACEMENT = '\ufffd';
const CHARACTERS = ['é', '≤', '漢', '😀'];

/** As `printf` takes them. */
function escaped(bytes: Buffer): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

describe('a character that a program writes in pieces', () => {
  it.each(CHARACTERS)('is whole in one reply, on a terminal and on pipes: %s', async (character) => {
    const client = await startClient();
    const pieces = [...Buffer.from(character)]
      .map((byte) => `printf '${escaped(Buffer.from([byte]))}'`)
      .join('; sleep 0.1; ');

    const replies = await Promise.all([client.exec(`${pieces}; echo`), client.exec(`${pieces}; echo`, { tty: false })]);

    expect(replies.map(({ structured }) => structured.output)).toEqual([`${character}\n`, `${character}\n`]);
  });

  it.each([
    ['at the beginning of a line', 0],
    ['in a line', 10],
    ['at the end of a very long line', 65_536],
  ])('is whole although a reply comes in the middle of it, %s', async (_where, before) => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const [first, ...rest] = Buffer.from('≤');
    const padding = `head -c ${String(before)} /dev/zero | tr '\\0' x`;
    const cmd = `${padding}; printf '${escaped(Buffer.from([first!]))}'; until [ -e go ]; do sleep 0.02; done; printf '${escaped(Buffer.from(rest))}'; echo`;
    const id = (await client.exec(`echo start; ${cmd}`, { yield_time_ms: 300, max_output_tokens: 100_000 })).structured
      .sessionId;

    const early = await client.poll(id, { yield_time_ms: 0 });
    writeFileSync(path.join(cwd, 'go'), '');
    const late = await client.poll(id, LONG);
    const whole = await client.call('read_output', { session_id: id, tail: 1, max_output_tokens: 100_000 });

    expect(early.structured.output).not.toContain(REPLACEMENT);
    expect(late.structured).toMatchObject({ output: '≤\n', exitCode: 0 });
    expect(whole.structured.output).toBe(`${'x'.repeat(before)}≤\n`);
  });
});

describe('a cap', () => {
  it.each(['é', '漢', '😀', 'e\u0301', '👩‍👩‍👧'])('never falls into a character: %s', async (character) => {
    const client = await startClient();
    const cmd = `python3 -c "print('${character}' * 30000)"`;

    const first = await client.exec(cmd, { max_output_tokens: 1 });
    const id = first.structured.sessionId;
    const others = [];
    for (const max_output_tokens of [2, 3, 7, 100, 101, 1_000, 9_999]) {
      others.push(await client.call('read_output', { session_id: id, max_output_tokens }));
    }

    const outputs = [first, ...others].map(({ structured }) => structured.output);
    expect(outputs.filter((output) => output.includes(REPLACEMENT))).toEqual([]);
    expect(outputs.filter((output) => !/omitted …\]/.test(output))).toEqual([]);
  });
});

describe('output that is no text', () => {
  const BINARIES: [string, string, number][] = [
    ['random bytes', 'head -c 50000 /dev/urandom', 20_000],
    ['a program', `cat ${existsSync('/bin/true') ? '/bin/true' : process.execPath}`, 5_000],
    ['something compressed', 'seq 1 20000 | gzip -n | cat', 10_000],
    ['every byte there is, often', 'for i in $(seq 300); do printf "$ALL"; done', 30_000],
  ];
  const ALL = escaped(Buffer.from(Array.from({ length: 128 }, (_, index) => 255 - index)));

  it.each(BINARIES)('is named in a reply, in few words: %s', async (_what, cmd, atLeastBytes) => {
    const client = await startClient();

    const replies = [
      await client.exec(cmd, { env: { ALL }, ...LONG }),
      await client.exec(cmd, { env: { ALL }, tty: false, ...LONG }),
    ];

    for (const { structured } of replies) {
      expect(structured.output).toMatch(/^\[binary output, [\d,]+ bytes without control characters\]\n$/);
      expect(structured.totalBytes).toBeGreaterThan(atLeastBytes);
      expect(structured.exitCode).toBe(0);
    }
  });

  it('is named too when it is read again, by lines, by its end, or as a resource', async () => {
    const client = await startClient();
    const { sessionId } = (await client.exec('for i in $(seq 300); do printf "$ALL"; echo; done', { env: { ALL }, ...LONG }))
      .structured;

    const replies = [
      await client.call('read_output', { session_id: sessionId }),
      await client.call('read_output', { session_id: sessionId, start_line: 1, end_line: 100 }),
      await client.call('read_output', { session_id: sessionId, search: '.' }),
    ];
    const { contents } = await client.client.readResource({ uri: `exec-session://${String(sessionId)}/transcript` });

    const texts = [...replies.map(({ structured }) => structured.output), (contents[0] as { text: string }).text];
    expect(texts.map((text) => text.split(REPLACEMENT).length - 1)).toEqual([0, 0, 0, 0]);
  });

  it('does not keep the session from going on', async () => {
    const client = await startClient();
    const id = await client.execUntil('printf "$ALL"; echo; stty -echo; read line; echo "<$line>"', 'bytes', {
      env: { ALL },
    });

    const { structured } = await client.write(id, 'é\n', LONG);

    expect(structured).toMatchObject({ output: expect.stringMatching(/<é>\n$/), exitCode: 0 });
  });

  it.each([
    ['a few broken characters', "printf '\\xff\\xfe\\n'", `${REPLACEMENT}${REPLACEMENT}\n`],
    ['a character that never ends', "printf 'a\\xe2\\x89'", /^a\ufffd+$/],
    [
      'text in Latin-1',
      "printf 'gr\\xfc\\xdfe aus M\\xfcnchen\\n'",
      `gr${REPLACEMENT}${REPLACEMENT}e aus M${REPLACEMENT}nchen\n`,
    ],
    ['NULs between letters', "printf 'a\\0b\\0c\\n'", 'abc\n'],
    ['a byte order mark', "printf '\\xef\\xbb\\xbftext\\n'", /^\ufeff?text\n$/],
  ])('is shown where it is only a little so: %s', async (_what, cmd, expected) => {
    const client = await startClient();

    const replies = [await client.exec(cmd), await client.exec(cmd, { tty: false })];

    for (const { structured } of replies) {
      expect(structured.exitCode).toBe(0);
      expect(structured.output).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    }
  });
});

describe('the language of a session', () => {
  it.each([
    ['no language at all', {}],
    ['the language C', { LANG: 'C' }],
    ['everything set to POSIX', { LC_ALL: 'POSIX' }],
    ['a language with UTF-8', { LANG: 'C.UTF-8' }],
  ])('has every character although its host has %s', async (_what, locale) => {
    const client = await startClient(createManager({ hostEnv: { PATH: process.env['PATH'], HOME: tempDir(), ...locale } }));
    const cmd = `printf 'é' | wc -m; python3 -c "print('é漢😀', len('é'))"; locale charmap`;

    const replies = [await client.exec(cmd), await client.exec(cmd, { tty: false })];

    const expected = '1\né漢😀 1\nUTF-8\n';
    expect(replies.map(({ structured }) => structured.output)).toEqual([expected, expected]);
  });

  it('keeps the order and the messages of the host', async () => {
    const client = await startClient(createManager({ hostEnv: { PATH: process.env['PATH'], LANG: 'C' } }));

    const { structured } = await client.exec(`printf 'b\\nB\\na\\nA\\n' | sort | tr -d '\\n'; cat /no/such`);

    expect(structured.output).toBe('ABabcat: /no/such: No such file or directory\n');
  });

  it('is named in the documentation', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('`LC_CTYPE=C.UTF-8`');
  });
});
