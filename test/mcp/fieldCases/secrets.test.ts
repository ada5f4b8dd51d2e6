import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactUnfinished } from '../../../src/mcp/redaction';
import { startClient, type ToolClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
/** Put together here, so that nobody's scanner takes this file for a leak. */
const AWS = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const GITHUB = `ghp_${'a1'.repeat(18)}`;
const BODY = Array.from(
  { length: 12 },
  (_, line) => `${'QWxsIG9mIHRoaXMgaXMgbm8ga2V5'.repeat(2)}${String(line).padStart(8, '0')}`,
);
const edge = (which: string): string => `-----${which} RSA PRIVATE KEY-----`;
const KEY = `${[edge('BEGIN'), ...BODY, edge('END')].join('\n')}\n`;
const KEY_MASK = '[private key masked]';
/** Parts of the secrets above, none of which a client may see. */
const LEAK = /IOSFODNN|7EXAMPLE|a1a1a1|QWxsIG9m/;

interface Steps {
  readonly client: ToolClient;
  readonly id: number;
  /** Lets the program print the next part. */
  next(): Promise<void>;
}

/** A program that prints one part after the other, each when it is told to. */
async function startInParts(parts: readonly string[]): Promise<Steps> {
  const cwd = tempDir();
  parts.forEach((part, index) => writeFileSync(path.join(cwd, `part${String(index)}`), part));
  const client = await startClient(createManager({ defaultCwd: () => cwd }), { isRedacting: () => true });
  const cmd = `i=0; while [ -e part$i ]; do until [ -e go$i ]; do sleep 0.01; done; cat part$i; touch done$i; i=$((i+1)); done; sleep 0.1; echo END`;
  const { structured } = await client.exec(cmd, { yield_time_ms: 0, tty: false });
  let step = 0;
  return {
    client,
    id: structured.sessionId,
    next: async () => {
      writeFileSync(path.join(cwd, `go${String(step)}`), '');
      await client.exec(`until [ -e done${String(step)} ]; do sleep 0.01; done; sleep 0.05`);
      step++;
    },
  };
}

describe('a secret that comes with several replies', () => {
  const cuts = [1, 3, 4, 5, 12, 19];

  it.each(cuts)(
    'is masked in the one that has the rest of it, and nothing of it is in the one before: cut at %i',
    async (cut) => {
      const { client, id, next } = await startInParts([`key=${AWS.slice(0, cut)}`, `${AWS.slice(cut)} and more\n`]);

      await next();
      const first = await client.poll(id, { yield_time_ms: 0 });
      const [listed] = (await client.list()).filter(({ sessionId }) => sessionId === id);
      await next();
      const rest = await client.poll(id, LONG);

      expect(first.structured.output).toBe('key=');
      expect(first.status).toContain(
        'The end of its last line is held back until more of it has come: it may be the beginning of a secret.',
      );
      expect(listed?.hasUnread).toBe(true);
      expect(rest.structured).toMatchObject({ output: '[AWS access key masked] and more\nEND\n', maskedSecrets: 1 });
    },
  );

  it('is held back however it is read meanwhile', async () => {
    const { client, id, next } = await startInParts([`one\nkey=${GITHUB.slice(0, 20)}`, `${GITHUB.slice(20)}\n`]);

    await next();
    const read = await client.call('read_output', { session_id: id });
    const found = await client.call('read_output', { session_id: id, search: 'key' });
    const { contents } = await client.client.readResource({ uri: `exec-session://${String(id)}/transcript` });
    await next();
    const { structured } = await client.poll(id, LONG);

    const masked = 'key=[masked until its line ends: it may be the beginning of a secret]\n';
    expect([read.structured.output, found.structured.output]).toEqual([`one\n${masked}`, `2:${masked}`]);
    expect((contents[0] as { text: string }).text).toBe(`one\n${masked}`);
    expect(structured.output).toBe('one\nkey=[GitHub token masked]\nEND\n');
  });

  it('is given as it is where nothing came of it', async () => {
    const { client, id, next } = await startInParts(['the letters AKIA', ' stand for a key\n', 's', 'k', '\n']);

    const outputs: string[] = [];
    for (let part = 0; part < 5; part++) {
      await next();
      outputs.push((await client.poll(id, { yield_time_ms: 0 })).structured.output);
    }
    outputs.push((await client.poll(id, LONG)).structured.output);

    expect(outputs.join('')).toBe('the letters AKIA stand for a key\nsk\nEND\n');
    expect(outputs.slice(0, 2)).toEqual(['the letters ', 'AKIA stand for a key\n']);
  });

  it('is not waited for when the program has ended, or waits itself', async () => {
    const client = await startClient(createManager(), { isRedacting: () => true });

    const ended = await client.exec("printf 'AKIA'");
    const asked = await client.exec("read -p 'sk' answer", LONG);

    expect([ended.structured.output, ended.status.includes('held back')]).toEqual(['AKIA', false]);
    if (asked.structured.waitingFor !== 'unknown') expect(asked.structured.output).toBe('sk');
  });

  it.each([
    ['after its beginning', [`${edge('BEGIN')}\n`, KEY.slice(edge('BEGIN').length + 1)]],
    ['in its first line', [KEY.slice(0, 15), KEY.slice(15)]],
    ['between two lines', [KEY.slice(0, KEY.indexOf(BODY[5]!)), KEY.slice(KEY.indexOf(BODY[5]!))]],
    ['in a line', [KEY.slice(0, 300), KEY.slice(300)]],
    ['before its end', [KEY.slice(0, KEY.indexOf(edge('END'))), `${edge('END')}\n`]],
    ['in three parts', [KEY.slice(0, 200), KEY.slice(200, 500), KEY.slice(500)]],
  ])('although it is a private key of many lines: cut %s', async (_where, parts) => {
    const { client, id, next } = await startInParts([
      `before\n${parts[0]!}`,
      ...parts.slice(1, -1),
      `${parts.at(-1)!}after\n`,
    ]);

    const outputs: string[] = [];
    for (let part = 0; part < parts.length; part++) {
      await next();
      outputs.push((await client.poll(id, { yield_time_ms: 0 })).structured.output);
    }
    outputs.push((await client.poll(id, LONG)).structured.output);

    expect(outputs.join('')).not.toMatch(LEAK);
    expect(outputs.join('')).toMatch(/^before\n[^]*after\nEND\n$/);
    expect(outputs.join('').replaceAll(KEY_MASK, '').replaceAll(/\n+/g, '\n')).toBe('before\nafter\nEND\n');
  });
});

describe('a private key', () => {
  async function startWithKey(
    cmd: string,
  ): Promise<{ client: ToolClient; id: number; output: string; count: number | undefined }> {
    const cwd = tempDir();
    writeFileSync(path.join(cwd, 'key'), KEY);
    writeFileSync(path.join(cwd, 'open-key'), KEY.slice(0, KEY.indexOf(edge('END'))));
    const client = await startClient(createManager({ defaultCwd: () => cwd }), { isRedacting: () => true });
    const { structured } = await client.exec(cmd, { max_output_tokens: 300, ...LONG });
    return { client, id: structured.sessionId, output: structured.output, count: structured.maskedSecrets };
  }

  it('is masked in whatever lines are read of it', async () => {
    const { client, id, output } = await startWithKey('echo first; cat key; echo last');
    const read = async (args: object): Promise<{ output: string; status: string }> => {
      const { structured, status } = await client.call('read_output', { session_id: id, ...args });
      return { output: structured.output, status };
    };

    const reads = [
      await read({ start_line: 4, end_line: 5 }),
      await read({ tail: 3 }),
      await read({ search: 'QWxs', max_matches: 2 }),
      await read({ search: 'last', context: 2 }),
    ];

    expect(output).toBe(`first\n${KEY_MASK}\nlast\n`);
    expect(reads.map((one) => one.output)).toEqual([
      `${KEY_MASK}\n${KEY_MASK}\n`,
      `${KEY_MASK}\n${KEY_MASK}\nlast\n`,
      `3:${KEY_MASK}\n4:${KEY_MASK}\n`,
      `14-${KEY_MASK}\n15-${KEY_MASK}\n16:last\n`,
    ]);
    expect(reads.filter(({ status }) => !status.includes('1 secret is masked here'))).toEqual([]);
  });

  it.each([
    ['in the part that is left out', 'seq 1 3000; cat key; seq 1 3000; echo FATAL'],
    ['at the cut behind the beginning', 'cat key; seq 1 5000; echo FATAL'],
    ['before and behind the gap', 'cat key key key key key key key key; echo FATAL'],
    ['without an end', 'cat open-key; echo "FATAL: broken"'],
    ['without an end, before the gap', 'cat open-key; seq -f "%.0f." 1 5000; echo "FATAL: broken"'],
    ['with its line ends written as characters', `awk '{ printf "%s\\\\n", $0 }' key; echo; echo FATAL`],
  ])('leaves the last line of a long output alone, and shows nothing of itself: %s', async (_where, cmd) => {
    const { output } = await startWithKey(cmd);

    expect(output).not.toMatch(LEAK);
    expect(output).toMatch(/FATAL(: broken)?\n$/);
  });

  it('is not in what a call reports while it waits', async () => {
    const cwd = tempDir();
    writeFileSync(path.join(cwd, 'key'), KEY.slice(0, 700));
    const client = await startClient(createManager({ defaultCwd: () => cwd }), { isRedacting: () => true });
    const progress: string[] = [];

    await client.exec(`cat key; sleep 1.3; printf '\\nkey=${AWS.slice(0, 12)}'; sleep 1.2`, LONG, {
      onprogress: ({ message }) => progress.push(message ?? ''),
    });

    expect(progress.length).toBeGreaterThan(1);
    expect(progress.filter((message) => LEAK.test(message) || message.includes('IOSF'))).toEqual([]);
  });
});

describe('a secret in a command', () => {
  it('is masked wherever commands are listed', async () => {
    const client = await startClient(createManager(), { isRedacting: () => true });
    const padding = 'x'.repeat(70);

    await client.exec(`true ${padding} ${AWS}`);
    await client.exec('true', { title: `deploy ${GITHUB}` });
    const listed = await client.call('list_sessions', {});
    const missing = await client.poll(7);
    const wrong = await client.poll(-1);
    const resources = await client.client.listResources();

    const all = JSON.stringify([listed, missing, wrong, resources]);
    expect(all).not.toMatch(/AKIA|IOSF|ghp_|a1a1a1/);
    expect(all).toContain('[GitHub token masked]');
  });
});

describe('the end of a line that is being written', () => {
  it.each([
    ['progress 45 %', 'progress 45 %'],
    ['Downloading npm', 'Downloading '],
    ['the task', 'the task'],
    ['a hash 3f786850e387550fdab836ed7e6dc881de23001b', 'a hash 3f786850e387550fdab836ed7e6dc881de23001b'],
    ['[=====>    ] 50 %', '[=====>    ] 50 %'],
    [`token: ${GITHUB}`, 'token: '],
    ['$ git push', '$ git push'],
    [`${'sk-'.repeat(20_000)} `, `${'sk-'.repeat(20_000)} `],
  ])('is kept back only where it may be a secret: %#', (line, shown) => {
    const { text } = redactUnfinished(line);

    expect(text.replace(/\[masked until.*\]$/, '').replace(/^\[API key masked\] $/, line)).toBe(shown);
  });
});
