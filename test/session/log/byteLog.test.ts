import { expect, test } from 'vitest';
import { ByteLog, countNewlines } from '../../../src/session/log/byteLog';

const KIB = 1_024;

function numberedLines(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `line ${String(index).padStart(8, '0')}\n`).join(''));
}

/** Appends in pieces of about the size in which a terminal is read. */
function appendInPieces(log: ByteLog, bytes: Buffer): void {
  for (let start = 0; start < bytes.length; start += 4_000) log.append(bytes.subarray(start, start + 4_000));
}

test('a log within its budget has everything, from any position', () => {
  const log = new ByteLog({ headBytes: KIB, tailBytes: KIB });
  const bytes = numberedLines(100);
  appendInPieces(log, bytes);

  expect(log.spans(0)).toEqual([{ start: 0, bytes }]);
  expect(log.spans(500)).toEqual([{ start: 500, bytes: bytes.subarray(500) }]);
  expect(log.spans(bytes.length)).toEqual([]);
});

test('beyond its budget a log keeps the beginning and the end, and counts what is gone', () => {
  const log = new ByteLog({ headBytes: 64 * KIB, tailBytes: 256 * KIB });
  const bytes = numberedLines(200_000);
  appendInPieces(log, bytes);

  const [head, tail, ...rest] = log.spans(0);

  expect(rest).toEqual([]);
  expect(head?.start).toBe(0);
  expect(head?.bytes.equals(bytes.subarray(0, head.bytes.length))).toBe(true);
  expect(tail?.bytes.equals(bytes.subarray(tail.start))).toBe(true);
  expect(head?.bytes.length).toBeGreaterThanOrEqual(64 * KIB);
  expect(tail?.bytes.length).toBeGreaterThanOrEqual(256 * KIB);
  expect((head?.bytes.length ?? 0) + (tail?.bytes.length ?? 0)).toBeLessThan(64 * KIB + 256 * KIB + 3 * 64 * KIB);
  expect(log.countNewlines(0, bytes.length)).toBe(200_000);
  expect(log.countNewlines(head?.bytes.length ?? 0, tail?.start ?? 0)).toBe(
    200_000 - countNewlines(head?.bytes ?? bytes) - countNewlines(tail?.bytes ?? bytes),
  );
});

test('what stands behind a reader is kept until the reader has moved on', () => {
  const log = new ByteLog({ headBytes: 0, tailBytes: 64 * KIB });
  const bytes = numberedLines(200_000);
  appendInPieces(log, bytes.subarray(0, 100_000));
  const pin = log.pin(log.totalBytes);
  appendInPieces(log, bytes.subarray(100_000));

  const [behindReader] = log.spans(pin.position);
  expect(behindReader?.start).toBe(100_000);
  expect(behindReader?.bytes.equals(bytes.subarray(100_000, 100_000 + behindReader.bytes.length))).toBe(true);
  expect(behindReader?.bytes.length).toBeGreaterThanOrEqual(64 * KIB);

  log.unpin(pin);
  log.append(bytes.subarray(0, 70_000));
  expect(log.spans(0)).toHaveLength(1);
  expect(log.countNewlines(0, log.totalBytes)).toBe(200_000 + countNewlines(bytes.subarray(0, 70_000)));
});

test('a look at the next bytes gets them across blocks, as far as they are in memory', () => {
  const log = new ByteLog({ headBytes: 0, tailBytes: 64 * KIB });
  const bytes = numberedLines(50_000);
  appendInPieces(log, bytes);
  const [tail] = log.spans(0);
  const start = tail?.start ?? 0;

  expect(log.peek(start + 10, 70_000).equals(bytes.subarray(start + 10, start + 70_010))).toBe(true);
  expect(log.peek(bytes.length - 5, 100).equals(bytes.subarray(-5))).toBe(true);
  expect(log.peek(0, 100)).toHaveLength(0);
});
