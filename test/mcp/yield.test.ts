import { describe, expect, it } from 'vitest';
import type { SessionReply } from '../../src/mcp/sessionReply';
import { startClient, type ToolClient } from '../support/startClient';

describe('a time to wait that is longer than one call waits', () => {
  it('is cut, which the reply tells, and never ends the program', async () => {
    const client = await startClient(undefined, { maxYieldMs: 200 });

    const first = await client.exec('sleep 1; echo ok', { yield_time_ms: 2_000 });
    const second = await client.poll(first.structured.sessionId, { yield_time_ms: 199 });

    expect(
      [first, second].map(({ structured: { isRunning, effectiveYieldMs } }) => ({ isRunning, effectiveYieldMs })),
    ).toEqual([
      { isRunning: true, effectiveYieldMs: 200 },
      { isRunning: true, effectiveYieldMs: undefined },
    ]);
    expect(first.status).toContain('waited for 200 ms, the longest that one call waits');
    expect(await pollUntilEnd(client, first.structured.sessionId)).toMatchObject({ output: 'ok\n', exitCode: 0 });
  });

  it('is told also where the program ended before', async () => {
    const client = await startClient(undefined, { maxYieldMs: 10_000 });

    const { structured } = await client.exec('true', { yield_time_ms: 10_001 });

    expect(structured).toMatchObject({ exitCode: 0, effectiveYieldMs: 10_000 });
  });
});

async function pollUntilEnd(client: ToolClient, sessionId: number): Promise<SessionReply> {
  for (;;) {
    const { structured } = await client.poll(sessionId, { yield_time_ms: 200 });
    if (!structured.isRunning) return structured;
  }
}
