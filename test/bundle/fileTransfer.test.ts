/** Files of any size go through the built exec-server, in memory that does not grow with them. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { RemoteFileSystem } from '../../src/execServer/client/remoteFileSystem';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { readBlocks, writeBlocks } from '../../src/files/blocks';
import type { ExecutorFileSystem } from '../../src/files/executorFileSystem';
import { MAX_BLOCK_BYTES } from '../../src/files/limits';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { createClient } from '../execServer/support/serverFixture';
import { describeFiles } from '../files/anyFileSystem';
import { cliPath } from '../support/builtCli';
import { parentOfAProgram } from '../support/parentOfAProgram';
import { residentBytes } from '../support/residentBytes';
import { tempDir } from '../support/tempDir';

const MIB = 1_024 * 1_024;
/** More than may be in memory; `EXEC_SESSIONS_TRANSFER_MIB` asks for another size, such as 1024. */
const TRANSFER_BYTES = Number(process.env['EXEC_SESSIONS_TRANSFER_MIB'] ?? 512) * MIB;
/** Far less than what goes through, and several times what both ends have on the way. */
const MAX_GROWTH_BYTES = 256 * MIB;
const TIMEOUT_MS = 120_000;

function overStdio(): ReturnType<typeof programDialer> {
  const argv: [string, ...string[]] = [process.execPath, cliPath, 'exec-server', '--listen', 'stdio'];
  return programDialer({ argv, env: { PATH: process.env['PATH'] } });
}

describe.skipIf(process.platform === 'win32')('the built exec-server', () => {
  describeFiles(() => new RemoteFileSystem(createClient(overStdio())));
});

describe.skipIf(process.platform !== 'linux')('a large file', () => {
  it(
    'goes there and back byte for byte, and leaves the memory of both ends small',
    async () => {
      const folder = tempDir();
      const [source, there, back] = ['source', 'there', 'back'].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ];
      await fill(source, TRANSFER_BYTES);
      const client = createClient(overStdio());
      const remote = new RemoteFileSystem(client);
      const local = new LocalFileSystem();
      const serverPid = await parentOfAProgram(new RemoteBackend(client));
      const resident = (): number[] => [residentBytes('self'), residentBytes(serverPid)];
      const before = resident();
      let largest = before;
      const measure = (): void => {
        largest = resident().map((bytes, index) => Math.max(bytes, largest[index]!));
      };

      const startMs = performance.now();
      await transfer([local, source], [remote, there], measure);
      const uploadedMs = performance.now();
      await transfer([remote, there], [local, back], measure);
      const downloadedMs = performance.now();

      const grown = largest.map((bytes, index) => bytes - before[index]!);
      console.info(
        `up ${speed(uploadedMs - startMs)}, down ${speed(downloadedMs - uploadedMs)}; ` +
          `grown by ${grown.map((bytes) => `${String(Math.round(bytes / MIB))} MiB`).join(' here, ')} there`,
      );
      expect(statSync(there).size).toBe(TRANSFER_BYTES);
      expect(await digestOf(there)).toBe(await digestOf(source));
      expect(await digestOf(back)).toBe(await digestOf(source));
      expect(Math.max(...grown)).toBeLessThan(MAX_GROWTH_BYTES);
    },
    TIMEOUT_MS,
  );
});

type Side = readonly [ExecutorFileSystem, string];

async function transfer([from, source]: Side, [to, destination]: Side, onBlock: () => void): Promise<void> {
  const input = await from.open(source, 'read');
  const output = await to.open(destination, 'replace');
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const block of readBlocks(input)) {
      onBlock();
      yield block;
    }
  };
  await writeBlocks(output, watched());
  await Promise.all([input.close(), output.close()]);
}

/** Nothing that is the same anywhere else in the file. */
async function fill(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w');
  const block = randomBytes(MAX_BLOCK_BYTES);
  for (let offset = 0; offset < bytes; offset += block.length) {
    block.writeBigUInt64LE(BigInt(offset));
    await handle.write(block);
  }
  await handle.close();
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

function speed(durationMs: number): string {
  return `${String(Math.round(TRANSFER_BYTES / MIB / (durationMs / 1_000)))} MiB/s`;
}
