import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/session/text/tokens/countTokens';
import { startClient, type ToolReply } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
const MIB = 1_024 * 1_024;

interface BytesReply {
  readonly output: string;
  readonly startByte: number;
  readonly byteCount: number;
  readonly totalBytes: number;
  readonly omitted: { readonly bytes: number };
}

const bytesOf = ({ structured }: ToolReply): BytesReply => structured as unknown as BytesReply;

describe('read_output with start_byte', () => {
  it.each([1, 50, 1_000, 10_000])(
    'gives every byte of binary output, in parts of at most %i tokens',
    async (max_output_tokens) => {
      const cwd = tempDir();
      const client = await startClient(createManager({ defaultCwd: () => cwd }));
      const size = max_output_tokens * 5;
      const { structured } = await client.exec(`head -c ${String(size)} /dev/urandom | tee written`, {
        tty: false,
        ...LONG,
      });

      const parts: BytesReply[] = [];
      for (let start_byte = 0; start_byte < size; start_byte += parts.at(-1)!.byteCount) {
        const args = { session_id: structured.sessionId, start_byte, max_output_tokens };
        parts.push(bytesOf(await client.call('read_output', args)));
      }

      const whole = Buffer.from(parts.map(({ output }) => output).join(''), 'base64');
      expect(whole.equals(readFileSync(path.join(cwd, 'written')))).toBe(true);
      expect(parts.filter(({ output }) => countTokens(Buffer.from(output)) > Math.max(4, max_output_tokens))).toEqual([]);
      expect(parts.map(({ startByte, byteCount, omitted }) => startByte + byteCount + omitted.bytes)).toEqual(
        parts.map(() => size),
      );
    },
  );

  it('gives just the bytes that are asked for, as the terminal got them, and says where they lie', async () => {
    const client = await startClient();
    const { structured } = await client.exec("printf '\\033[1mone\\033[0m\\ntwo\\n'");

    const reply = await client.call('read_output', { session_id: structured.sessionId, start_byte: 4, byte_count: 9 });

    expect(Buffer.from(bytesOf(reply).output, 'base64').toString()).toBe('one\u001b[0m\r\n');
    expect(bytesOf(reply)).toMatchObject({ startByte: 4, byteCount: 9, totalBytes: 18, omitted: { bytes: 0 } });
    expect(reply.status).toBe('Bytes 4 to 12, in base64, of 18 so far. Go on with start_byte 13.');
  });

  it('can be asked again while the program goes on', async () => {
    const client = await startClient();
    const id = await client.execUntil("printf abc; read -r line; printf 'more'", 'abc');

    const none = await client.call('read_output', { session_id: id, start_byte: 3 });
    await client.write(id, '\n', LONG);
    const more = await client.call('read_output', { session_id: id, start_byte: 3 });

    expect(none.status).toBe('None of these bytes exist, of 3 so far.');
    expect(Buffer.from(bytesOf(more).output, 'base64').toString()).toBe('\r\nmore');
  });

  it('says which bytes are still there, and never gives others', async () => {
    const client = await startClient();
    const { structured } = await client.exec('yes 0123456789abcde | head -c 3000000; echo -n END', { tty: false, ...LONG });
    const session_id = structured.sessionId;

    const early = await client.call('read_output', { session_id, start_byte: 0 });
    const keptFrom = Number(/bytes (\d+) to 3000002 are/.exec(early.status)?.[1]);
    const replies = [
      await client.call('read_output', { session_id, start_byte: keptFrom - 1 }),
      await client.call('read_output', { session_id, start_byte: keptFrom, byte_count: 16 }),
      await client.call('read_output', { session_id, start_byte: 2_999_999 }),
    ];

    expect(early.isError).toBe(true);
    expect(3_000_003 - keptFrom).toBeGreaterThanOrEqual(MIB);
    expect(replies.map(({ isError }) => isError)).toEqual([true, false, false]);
    const texts = replies.slice(1).map((reply) => Buffer.from(bytesOf(reply).output, 'base64').toString());
    const at = keptFrom % 16;
    expect(texts).toEqual([`${'0123456789abcde\n'.slice(at)}${'0123456789abcde\n'.slice(0, at)}`, '\nEND']);
  });

  it('is refused while secrets are masked', async () => {
    const client = await startClient(createManager(), { isRedacting: () => true });
    const { structured } = await client.exec('echo text');

    const reply = await client.call('read_output', { session_id: structured.sessionId, start_byte: 0 });

    expect(reply).toMatchObject({ isError: true, status: expect.stringContaining('only lines and the screen') });
  });

  it('reads nothing else in the same call', async () => {
    const client = await startClient();
    const { structured } = await client.exec('echo text');

    const reply = await client.call('read_output', { session_id: structured.sessionId, start_byte: 0, tail: 1 });

    expect(reply).toMatchObject({ isError: true, status: expect.stringContaining('one thing at a time') });
  });
});
