import { describe, expect, it } from 'vitest';
import { startClient } from '../../support/startClient';
import { until } from '../../support/until';

/** Runs of programs that print and exit at once: enough to see a loss in one of a thousand. */
const RUNS = 1_000;
const AT_A_TIME = 4;
/** More tokens than the longest of the outputs has. */
const ALL = 1_000_000;

describe('the output of a command', () => {
  it(`is complete in each of ${String(RUNS)} runs that end right after it, with the right exit code`, async () => {
    const client = await startClient();
    const sizes = [20_000, 1_000_000, 0];
    const faults: string[] = [];
    const runOne = async (run: number): Promise<void> => {
      const size = sizes[run % sizes.length]!;
      const exitCode = run % 256;
      const cmd =
        size === 0 ? `exit ${String(exitCode)}` : `printf '%*sEND' ${String(size - 3)} ''; exit ${String(exitCode)}`;
      const { structured } = await client.exec(cmd, { tty: run % 2 === 0, max_output_tokens: ALL });
      const expected = size === 0 ? '' : `${' '.repeat(size - 3)}END`;
      if (structured.output === expected && structured.exitCode === exitCode) return;
      faults.push(`run ${String(run)}: ${String(structured.totalBytes)} of ${String(size)} bytes, ${structured.status}`);
    };

    const rest = Array.from({ length: RUNS }, (_, run) => run);
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        for (let run = rest.shift(); run !== undefined; run = rest.shift()) await runOne(run);
      }),
    );

    expect(faults).toEqual([]);
  }, 180_000);

  it('is complete from the very first byte of the very first command', async () => {
    const client = await startClient();

    const { structured } = await client.exec('printf first; sleep 0.05; printf second');

    expect(structured.output).toBe('firstsecond');
  });

  it('after the last poll is still there when the session has ended long before the next', async () => {
    const client = await startClient();
    const first = await client.exec('echo a; sleep 0.6; echo b', { yield_time_ms: 300 });
    await until('it has ended', async () => (await client.list())[0]?.isRunning === false);
    // Others come and go meanwhile.
    for (let run = 0; run < 20; run++) await client.exec('true');

    const { structured } = await client.poll(first.structured.sessionId);

    expect([first.structured.output, structured]).toEqual(['a\n', expect.objectContaining({ output: 'b\n', exitCode: 0 })]);
  });

  it('so far is in the reply when the time is over', async () => {
    const client = await startClient();

    const { structured } = await client.exec('echo so-far; sleep 30', { yield_time_ms: 1_000 });

    expect(structured).toMatchObject({ output: 'so-far\n', isRunning: true });
  });
});
