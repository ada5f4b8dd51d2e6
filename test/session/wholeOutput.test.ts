import { expect, test } from 'vitest';
import { SpoolFolder } from '../../src/session/log/spool';
import { readLines } from '../../src/session/log/transcript';
import { createManager, startSession } from '../support/startSession';
import { tempDir } from '../support/tempDir';

test('everything that a session printed stays readable until the session is forgotten', async () => {
  const spoolFolder = new SpoolFolder(tempDir());
  const manager = createManager({ spoolFolder });
  const session = await startSession(manager, 'seq 1 2000000');
  await session.wait(60_000);

  const result = await readLines(session.transcript, 1_000_000, 1_000_002);

  expect(result.lines.map((line) => line.bytes.toString())).toEqual(['1000000', '1000001', '1000002']);
  expect([result.totalLines, result.isIncomplete, session.transcript.log.droppedBytes]).toEqual([2_000_000, false, 0]);
  expect(spoolFolder.usedBytes).toBeGreaterThan(10_000_000);
  await manager.shutDown();
  expect(spoolFolder.usedBytes).toBe(0);
});
