import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { LoopbackExecServer } from '../../src/vscode/loopbackExecServer';
import { createServerUnderTest } from '../execServer/support/serverFixture';
import { nullLog } from '../support/nullLog';

/** How an attempt to connect ends: open, or the status of the refusal, or the error. */
function connect(url: string, token?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
    onTestFinished(() => socket.terminate());
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });
}

it('listens while it is wanted, on loopback, and to those who show the token of the time', async () => {
  let isWanted = false;
  const loopback = new LoopbackExecServer({ server: createServerUnderTest(), log: nullLog, isWanted: () => isWanted });
  onTestFinished(() => loopback.close());

  expect(await loopback.update()).toBeUndefined();
  isWanted = true;
  const opened = (await loopback.update())!;
  expect(opened.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  expect(await loopback.update()).toEqual(opened);
  expect(await connect(opened.url, opened.token)).toBe('open');
  expect(await connect(opened.url, 'another')).toBe('401');
  expect(await connect(opened.url)).toBe('401');

  isWanted = false;
  expect(await loopback.update()).toBeUndefined();
  expect(await connect(opened.url, opened.token)).toBe('ECONNREFUSED');

  isWanted = true;
  expect((await loopback.update())!.token).not.toBe(opened.token);
  await loopback.close();
  expect(await loopback.update()).toBeUndefined();
});
