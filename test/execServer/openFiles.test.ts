/** Files that clients have open, over connections that drop. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { RemoteFileSystem } from '../../src/execServer/client/remoteFileSystem';
import { readBlocks, writeBlocks } from '../../src/files/blocks';
import type { ExecutorFile } from '../../src/files/executorFileSystem';
import { MAX_BLOCK_BYTES } from '../../src/files/limits';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { startFaultyProxy } from './support/faultyProxy';
import { RawClient } from './support/rawClient';
import { createClient, createServerUnderTest, listenOnLoopback } from './support/serverFixture';

const BYTES = Buffer.concat(Array.from({ length: 12 }, (_, index) => Buffer.alloc(MAX_BLOCK_BYTES, index)));

/** That nothing more comes is seen by waiting only. */
const QUIET_MS = 300;

async function open(client: RawClient, handleId: string, file: string, rest: object = {}): Promise<unknown> {
  const { result, error } = await client.request('fs/open', { handleId, path: `file://${file}`, ...rest });
  return result ?? error?.message;
}

async function readFirst(client: RawClient, handleId: string): Promise<unknown> {
  const { result, error } = await client.request('fs/readBlock', { handleId, offset: 0, len: 1 });
  return result ?? error?.code;
}

describe('an open file', () => {
  it('is read and written on over a connection that drops in its midst', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'from'), BYTES);
    const server = await listenOnLoopback(createServerUnderTest());
    const proxy = await startFaultyProxy(server, { dropAfter: { method: '', count: 6 } });
    const files = new RemoteFileSystem(createClient(webSocketDialer({ url: proxy.url })));

    const from = await files.open(path.join(folder, 'from'), 'read');
    const to = await files.open(path.join(folder, 'to'), 'replace');
    await writeBlocks(to, readBlocks(from));
    await Promise.all([from.close(), to.close()]);

    expect(proxy.connections()).toBeGreaterThan(1);
    expect(readFileSync(path.join(folder, 'to')).equals(BYTES)).toBe(true);
  });

  it('goes with its session, and stays for the client that resumes that', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'x');
    const server = createServerUnderTest({ limits: { detachedLifetimeMs: 60_000 } });
    const first = await RawClient.open(server);
    await open(first, 'h', file);
    first.drop();

    const resumed = await RawClient.open(server, first.sessionId);
    const other = await RawClient.open(server);

    expect(await readFirst(resumed, 'h')).toEqual({ chunk: 'eA==', eof: false });
    expect(await readFirst(other, 'h')).toBe(-32004);
  });

  it('makes room for another of its id once its connection has gone', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'one'), '1');
    writeFileSync(path.join(folder, 'two'), '2');
    const server = createServerUnderTest({ limits: { detachedLifetimeMs: 60_000 } });
    const first = await RawClient.open(server);
    await open(first, 'h', path.join(folder, 'one'));

    expect(await open(first, 'h', path.join(folder, 'two'))).toContain('already exists');
    first.drop();
    const resumed = await RawClient.open(server, first.sessionId);
    expect(await open(resumed, 'h', path.join(folder, 'two'))).toEqual({ handleId: 'h' });
    expect(await readFirst(resumed, 'h')).toEqual({ chunk: 'Mg==', eof: false });
  });

  it('may be read before the server has answered that it is open', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'x');
    const client = await RawClient.open(createServerUnderTest());

    const [, read] = await Promise.all([open(client, 'h', file), readFirst(client, 'h')]);

    expect(read).toEqual({ chunk: 'eA==', eof: false });
  });

  it.skipIf(process.platform !== 'linux')('is closed by the server when its session ends', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'x');
    const server = createServerUnderTest();
    const client = await RawClient.open(server);
    await open(client, 'h', file);
    const isOpenHere = (): boolean => readdirLinks().includes(file);
    expect(isOpenHere()).toBe(true);

    await server.shutDown();

    expect(isOpenHere()).toBe(false);
  });
});

describe('blocks that nobody takes', () => {
  it('are not read from the disk any more', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, BYTES);
    const files = new CountingFiles();
    const url = new URL(await listenOnLoopback(createServerUnderTest({ files, concurrentRequests: 4 })));
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    const send = (message: object): void => socket.send(JSON.stringify(message));
    send({ id: 1, method: 'initialize', params: { clientName: 'test' } });
    await once(socket, 'message');
    send({ method: 'initialized' });
    socket.pause();
    send({ id: 2, method: 'fs/open', params: { handleId: 'h', path: `file://${file}` } });
    for (let id = 3; id < 103; id++) {
      send({ id, method: 'fs/readBlock', params: { handleId: 'h', offset: 0, len: MAX_BLOCK_BYTES } });
    }
    await files.settled();
    const readWhilePaused = files.blocks;

    socket.resume();
    await until('all have come', () => files.blocks === 100);

    expect(readWhilePaused).toBeGreaterThan(4);
    expect(readWhilePaused).toBeLessThan(40);
  });
});

/** This machine's files, with the blocks counted that were read of them. */
class CountingFiles extends LocalFileSystem {
  blocks = 0;

  override async open(...request: Parameters<LocalFileSystem['open']>): Promise<ExecutorFile> {
    const file = await super.open(...request);
    return {
      readBlock: (...block) => {
        this.blocks++;
        return file.readBlock(...block);
      },
      writeBlock: (...block) => file.writeBlock(...block),
      close: () => file.close(),
    };
  }

  /** Resolves when no more are read for a while. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.blocks;) {
      before = this.blocks;
      await delay(QUIET_MS);
    }
  }
}

/** What this process has open. */
function readdirLinks(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}
