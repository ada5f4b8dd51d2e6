import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHORTEST_FORM_TOKENS } from '../../../src/session/text/capText';
import { SpoolFolder } from '../../../src/session/log/spool';
import { oracleTokens } from '../../session/text/tokens/oracle';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
const MARKER = /\[… ([\d,]+) bytes, ([\d,]+) line ends omitted …\]\n/;
/** What a limit may leave unused: a cut falls between lines. */
const USED_PART = 0.95;

interface Parameters {
  readonly max_output_tokens?: { readonly default: number };
}

describe('the size of a reply', () => {
  it('is the one that each tool promises, unless the call asks for another', async () => {
    const client = await startClient(createManager({ spoolFolder: new SpoolFolder(tempDir()) }));
    const { tools } = await client.client.listTools();
    const promised = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, (inputSchema.properties as Parameters).max_output_tokens?.default]),
    );
    const started = await client.exec('sleep 0.3; seq 1 200000', { yield_time_ms: 0 });
    const session_id = started.structured.sessionId;

    const outputs = {
      exec_command: (await client.exec('seq 1 200000', LONG)).structured.output,
      write_stdin: (await client.poll(session_id, LONG)).structured.output,
      read_output: (await client.call('read_output', { session_id, tail: 10_000 })).structured.output,
    };

    for (const [name, output] of Object.entries(outputs)) {
      const tokens = oracleTokens(output);
      expect({ name, isWithin: tokens <= promised[name]!, isUsed: tokens >= promised[name]! * USED_PART }).toEqual({
        name,
        isWithin: true,
        isUsed: true,
      });
    }
  });

  it.each([1, 10, 100, 1_000])(
    'of %i tokens keeps the first and the last line, with an exact count of the rest',
    async (max) => {
      const manager = createManager();
      const [first, second] = [await startClient(manager), await startClient(manager)];
      const limit = { max_output_tokens: max };
      const whole = Array.from({ length: 5_000 }, (_, index) => `${String(index + 1)}\n`).join('');

      const byExec = await first.exec('seq 1 5000', { ...limit, ...LONG });
      const session_id = byExec.structured.sessionId;
      const byPoll = await second.poll(session_id, limit);
      const byRead = await first.call('read_output', { session_id, start_line: 1, ...limit });

      for (const { structured } of [byExec, byPoll, byRead]) {
        const { output, omitted } = structured;
        const [marker, bytes, lines] = MARKER.exec(output)!;
        const [head, tail] = output.split(marker) as [string, string];
        expect(output).toMatch(/^1\n[^]*\n5000\n$/);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(omitted.bytes).toBe(whole.length - head.length - tail.length);
        expect([bytes, lines]).toEqual([omitted.bytes.toLocaleString('en-US'), omitted.lines.toLocaleString('en-US')]);
        expect(oracleTokens(output)).toBeLessThanOrEqual(Math.max(max, SHORTEST_FORM_TOKENS));
      }
    },
  );
});

describe('the last words of a program', () => {
  it.each([
    ['an error and an exit code', 'echo FATAL; exit 3', 'FATAL\n', { exitCode: 3 }],
    ['on the error output', 'echo FATAL >&2; exit 3', 'FATAL\n', { exitCode: 3 }],
    ['without a line end', 'printf FATAL; exit 4', 'FATAL', { exitCode: 4 }],
    ['before a signal', 'echo FATAL; kill -ABRT $$', 'FATAL\n', { signal: 'SIGABRT' }],
    ['with empty lines after them', "printf 'FATAL\\n\\n\\n'; exit 5", 'FATAL\n\n\n', { exitCode: 5 }],
    ['in many scripts', "echo 'FATAL: 失敗 ≤ 😀'; exit 6", 'FATAL: 失敗 ≤ 😀\n', { exitCode: 6 }],
  ])('survive every cap: %s', async (_what, last, expected, end) => {
    const client = await startClient();
    const cmd = `ulimit -c 0; seq 1 50000; ${last}`;

    const replies = [
      await client.exec(cmd, LONG),
      await client.exec(cmd, { max_output_tokens: 1, ...LONG }),
      await client.exec(cmd, { tty: false, max_output_tokens: 50, ...LONG }),
    ];

    for (const { structured, status } of replies) {
      const { output, omitted, totalBytes } = structured;
      expect(structured).toMatchObject(end);
      expect(output.startsWith('1\n') && output.endsWith(expected)).toBe(true);
      expect(Buffer.byteLength(output.replace(MARKER, '')) + omitted.bytes).toBe(totalBytes);
      expect(status).toContain(
        `${omitted.bytes.toLocaleString('en-US')} bytes with ${omitted.lines.toLocaleString('en-US')} line`,
      );
    }
  });

  it('are in the reply to the poll that they came with, however much came before', async () => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const cmd = 'seq 1 100000; touch printed; until [ -e go ]; do sleep 0.02; done; seq 1 100000; echo FATAL; exit 7';
    const first = await client.exec(cmd, { wait_for: '^100000$', max_output_tokens: 100, ...LONG });
    await client.exec('until [ -e printed ]; do sleep 0.02; done; touch go');

    const { structured } = await client.poll(first.structured.sessionId, { max_output_tokens: 100, ...LONG });

    expect(first.structured).toMatchObject({ output: expect.stringMatching(/^1\n[^]*\n100000\n$/), isRunning: true });
    expect(structured).toMatchObject({ output: expect.stringMatching(/^1\n[^]*\nFATAL\n$/), exitCode: 7 });
  });
});

describe('one giant line', () => {
  /** What the field bears at most for a reply that is almost all left out. */
  const MAX_REPLY_MS = 2_000;

  it.each(['x', ' ', '=', 'ab', '漢', '\\033[1m'])('of %j is capped by its size, in no time', async (unit) => {
    const manager = createManager();
    const [client, other] = [await startClient(manager), await startClient(manager)];
    const cmd = `yes '' | head -n 1000000 | tr -d '\\n'; python3 -c "print('${unit}' * 3000000, end='')"`;
    const { structured } = await client.exec(cmd, { max_output_tokens: 1_000, ...LONG });

    const startMs = performance.now();
    const again = await other.poll(structured.sessionId, { max_output_tokens: 1_000 });
    const read = await other.call('read_output', { session_id: structured.sessionId, tail: 1, max_output_tokens: 1_000 });
    const tookMs = performance.now() - startMs;

    const outputs = [structured, again.structured, read.structured].map(({ output }) => output);
    expect(outputs.filter((output) => Buffer.byteLength(output) > 1_000 * 17)).toEqual([]);
    expect(structured).toMatchObject({ exitCode: 0, isRunning: false });
    expect(tookMs).toBeLessThan(MAX_REPLY_MS);
  });
});

describe('what a reply left out', () => {
  it('is read from the session, every byte of it, and nothing runs again', async () => {
    const cwd = tempDir();
    const manager = createManager({ defaultCwd: () => cwd, spoolFolder: new SpoolFolder(tempDir()) });
    const client = await startClient(manager);
    const cmd = 'echo run >> runs; seq -f "line %06.0f: é ≤ 漢 😀" 1 200000 | tee printed';
    const { structured } = await client.exec(cmd, LONG);
    const session_id = structured.sessionId;

    let read = '';
    for (let start_line = 1; start_line <= 200_000; start_line += 10_000) {
      const range = { start_line, end_line: start_line + 9_999, max_output_tokens: 1_000_000 };
      read += (await client.call('read_output', { session_id, ...range })).structured.output;
    }

    expect(structured.omitted.lines).toBeGreaterThan(190_000);
    expect(read === readFileSync(path.join(cwd, 'printed'), 'utf8')).toBe(true);
    expect(readFileSync(path.join(cwd, 'runs'), 'utf8')).toBe('run\n');
  });

  it('is found by a search too, wherever it lies', async () => {
    const client = await startClient(createManager({ spoolFolder: new SpoolFolder(tempDir()) }));
    const { structured } = await client.exec('seq 1 100000; echo NEEDLE; seq 1 100000', LONG);

    const { structured: found } = await client.call('read_output', {
      session_id: structured.sessionId,
      search: 'NEEDLE',
      context: 1,
    });

    expect(structured.output).not.toContain('NEEDLE');
    expect(found.output).toBe('100000-100000\n100001:NEEDLE\n100002-1\n');
  });
});
