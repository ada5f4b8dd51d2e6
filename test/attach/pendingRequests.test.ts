import { describe, expect, it } from 'vitest';
import { PendingRequests } from '../../src/attach/pendingRequests';

/** Feeds texts in the smallest pieces there are. */
function feed(note: (chunk: Buffer) => void, ...messages: (object | string)[]): void {
  for (const message of messages) {
    const line = typeof message === 'string' ? message : `${JSON.stringify(message)}\n`;
    for (const byte of Buffer.from(line)) note(Buffer.from([byte]));
  }
}

describe('the requests that are pending', () => {
  it('are those that nobody has answered or taken back, whatever else was said', () => {
    const pending = new PendingRequests();

    feed(
      (chunk) => pending.noteFromClient(chunk),
      { id: 0, method: 'initialize' },
      { method: 'notifications/initialized' },
      { id: 'ä', method: 'tools/call' },
      'no message\n',
      [
        { id: 2, method: 'ping' },
        { id: 3, method: 'ping' },
      ],
      { id: 9, result: {} },
      { method: 'notifications/cancelled', params: { requestId: 3 } },
      { id: 4, method: 'ping' },
    );
    feed(
      (chunk) => pending.noteFromServer(chunk),
      { id: 0, result: {} },
      { id: 4, method: 'roots/list' },
      { id: 2, error: {} },
    );

    expect(answersOf(pending)).toEqual([
      { jsonrpc: '2.0', id: 'ä', error: { code: -32_000, message: 'gone' } },
      { jsonrpc: '2.0', id: 4, error: { code: -32_000, message: 'gone' } },
    ]);
  });

  it('are answered on a line of their own, behind a message that was cut off', () => {
    const pending = new PendingRequests();

    feed((chunk) => pending.noteFromClient(chunk), { id: 1, method: 'ping' });
    feed((chunk) => pending.noteFromServer(chunk), '{"id":1,"resu');

    expect(pending.answers('gone')).toMatch(/^\n\{.*"id":1.*\}\n$/);
  });
});

function answersOf(pending: PendingRequests): unknown[] {
  return pending
    .answers('gone')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
