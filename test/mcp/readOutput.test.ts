import { describe, expect, it } from 'vitest';
import { SpoolFolder } from '../../src/session/log/spool';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';

interface OutputReply {
  readonly output: string;
  readonly totalLines: number;
  readonly matchCount?: number;
  readonly isIncomplete: boolean;
  readonly omitted: { readonly bytes: number; readonly lines: number };
}

async function start(
  cmd: string,
  rest = {},
): Promise<(args: object) => Promise<{ reply: OutputReply; status: string; isError: boolean }>> {
  const client = await startClient(createManager({ spoolFolder: new SpoolFolder(tempDir()) }));
  const { structured } = await client.exec(cmd, { yield_time_ms: 30_000, ...rest });
  return async (args) => {
    const {
      structured: reply,
      status,
      isError,
    } = await client.call('read_output', { session_id: structured.sessionId, ...args });
    return { reply: reply as unknown as OutputReply, status, isError };
  };
}

describe('read_output', () => {
  it('reads any lines of a long output, which the reply had only in part', async () => {
    const read = await start('seq 1 200000');

    const { reply, status } = await read({ start_line: 100_000, end_line: 100_010 });

    expect(reply.output).toBe(Array.from({ length: 11 }, (_, index) => `${String(100_000 + index)}\n`).join(''));
    expect(status).toBe('Lines 100000 to 100010, of 200,000 lines so far.');
  });

  it('reads the last lines, 100 of them unless asked otherwise', async () => {
    const read = await start('seq 1 1000');

    expect((await read({ tail: 2 })).reply.output).toBe('999\n1000\n');
    expect((await read({})).reply.output.split('\n')).toHaveLength(101);
  });

  it('searches, with lines around the matches and their numbers', async () => {
    const read = await start('seq 1 3000; echo "Error: disk"; seq 1 3');

    const { reply, status } = await read({ search: 'error', ignore_case: true, context: 1 });
    const many = await read({ search: '^1', max_matches: 2 });

    expect(reply.output).toBe('3000-3000\n3001:Error: disk\n3002-1\n');
    expect(status).toBe('1 of 3,004 lines match.');
    expect(many.reply).toMatchObject({ output: '1:1\n10:10\n', matchCount: 1_112 });
    expect(many.status).toContain('of which the first 2 are shown');
  });

  it('shows the screen', async () => {
    const read = await start("printf 'one\\ntwo\\033[1;1HONE'; sleep 30", { yield_time_ms: 500, rows: 4 });

    const { reply, status } = await read({ screen: true });

    expect(reply.output).toBe('ONE\ntwo\n');
    expect(status).toBe('The screen has 4 rows; the cursor is in row 1, column 4.');
  });

  it('reads as often as asked and takes nothing away from the next reply', async () => {
    const client = await startClient();
    const { structured } = await client.exec('echo one; sleep 0.5; echo two', { yield_time_ms: 0 });
    const session_id = structured.sessionId;
    await client.call('read_output', { session_id });
    const { structured: reply } = await client.poll(session_id, { yield_time_ms: 10_000 });

    expect(structured.output + reply.output).toBe('one\ntwo\n');
  });

  it('keeps to max_output_tokens and says how much that left out', async () => {
    const read = await start('seq 1 5000');

    const { reply, status } = await read({ start_line: 1, max_output_tokens: 300 });

    expect(reply.omitted.lines).toBeGreaterThan(4_500);
    expect(status).toContain('Shortened to max_output_tokens');
  });

  it('says what is wrong with what it is asked', async () => {
    const read = await start('true');

    const faults = await Promise.all([
      read({ tail: 5, search: 'x' }),
      read({ start_line: 5, end_line: 2 }),
      read({ search: '(' }),
      read({ search: 'x', tail: 0 }),
    ]);

    expect(faults.map(({ isError, status }) => [isError, status.split('\n').at(-1)?.slice(0, 40)])).toEqual([
      [true, 'read_output reads one thing at a time: g'],
      [true, 'end_line 2 lies before start_line 5.'],
      [true, '- search: Invalid regular expression: /('],
      [true, '- tail: must be at least 1, but was 0.'],
    ]);
  });

  it('names binary output in a reply instead of filling it with it', async () => {
    const client = await startClient();

    const noise = await client.exec('head -c 5000 /dev/urandom');
    const broken = await client.exec("printf '\\xff\\xfe\\n'");

    expect(noise.structured.output).toMatch(/^\[binary output, [\d,]+ bytes without control characters\]\n$/);
    expect(broken.structured.output).toBe('\ufffd\ufffd\n');
  });
});
