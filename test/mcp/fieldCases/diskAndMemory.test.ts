import { fstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ENDED_MEMORY_BYTES,
  ENDED_RETENTION_MS,
  MAX_ENDED_SESSIONS,
  RECENT_SESSIONS,
} from '../../../src/session/endedSessions';
import { SpoolFolder } from '../../../src/session/log/spool';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

const MIB = 1_024 * 1_024;
const LONG = { yield_time_ms: 60_000, max_output_tokens: 100 };
const isLinux = process.platform === 'linux';

/** Descriptors of this process for files that lie, or lay, in `folder`. */
function descriptorsIn(folder: string): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${String(fd)}`).startsWith(folder);
      } catch {
        // The one that listed them.
        return false;
      }
    });
}

describe('the disk', () => {
  it('holds no more than the total that is stated, however many sessions print however much', async () => {
    const parent = tempDir();
    const totalBytes = 30 * MIB;
    const spoolFolder = new SpoolFolder(parent, () => ({ sessionBytes: 10 * MIB, totalBytes }));
    const client = await startClient(createManager({ spoolFolder }));
    const used: number[] = [];
    const cmd = 'seq -f "%099.0f" 1 50000; echo END';

    const outputs: string[] = [];
    for (let run = 0; run < 20; run++) {
      outputs.push((await client.exec(cmd, LONG)).structured.output);
      used.push(spoolFolder.usedBytes);
    }

    expect(outputs.filter((output) => !output.endsWith('END\n'))).toEqual([]);
    expect(Math.max(...used)).toBeLessThanOrEqual(totalBytes);
    expect(Math.max(...used)).toBeGreaterThan(totalBytes / 2);
  });

  it('and memory hold no more than a session may keep while it floods them, and the reply still has its end', async () => {
    const parent = tempDir();
    const sessionBytes = 8 * MIB;
    const spoolFolder = new SpoolFolder(parent, () => ({ sessionBytes, totalBytes: 1_000 * MIB }));
    const client = await startClient(createManager({ spoolFolder }));
    const before = process.memoryUsage();

    const { structured } = await client.exec('head -c 100000000 /dev/zero | tr "\\0" "\\n"; echo END', {
      tty: false,
      ...LONG,
    });
    const after = process.memoryUsage();
    const read = await client.call('read_output', { session_id: structured.sessionId, start_line: 60_000_000 });

    expect(structured).toMatchObject({ output: expect.stringMatching(/\nEND\n$/), totalBytes: 100_000_004 });
    expect(spoolFolder.usedBytes).toBeLessThanOrEqual(sessionBytes);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * MIB);
    expect(read.status).toContain('A part of the output was too much to be kept');
  });

  it('gets everything back when ended sessions have had their time, and when all is over', async () => {
    const parent = tempDir();
    const spoolFolder = new SpoolFolder(parent);
    const manager = createManager({ spoolFolder, endedRetentionMs: 500 });
    const client = await startClient(manager);
    await Promise.all(Array.from({ length: 4 }, () => client.exec('seq 1 700000', LONG)));
    const usedBytes = spoolFolder.usedBytes;

    await until('all are forgotten', async () => (await client.list()).length === 0);
    const later = { usedBytes: spoolFolder.usedBytes, descriptors: isLinux ? descriptorsIn(parent) : [] };
    await client.exec('seq 1 700000; sleep 30', { ...LONG, wait_for: '^700000$' });
    await manager.shutDown();
    spoolFolder.dispose();

    expect(usedBytes).toBeGreaterThan(4 * MIB);
    expect(later).toEqual({ usedBytes: 0, descriptors: [] });
    expect([readdirSync(parent), isLinux ? descriptorsIn(parent) : []]).toEqual([[], []]);
  });

  it('is not touched by sessions that print little', async () => {
    const parent = tempDir();
    const client = await startClient(createManager({ spoolFolder: new SpoolFolder(parent) }));

    await Promise.all(Array.from({ length: 10 }, () => client.exec('seq 1 20000', LONG)));

    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('an ended session', () => {
  const RECENT = Array.from({ length: RECENT_SESSIONS }, () => 'true');

  interface Scarcity {
    readonly cmd?: string;
    readonly totalBytes?: number;
    readonly endedMemoryBytes?: number;
    readonly message: RegExp;
  }

  const SCARCITIES: [string, Scarcity][] = [
    ['memory', { endedMemoryBytes: 5 * MIB, message: /ended sessions may take 128 MiB of memory together/ }],
    ['disk', { totalBytes: 5 * MIB, message: /the output of all sessions had no more room on disk/ }],
    ['numbers', { cmd: 'true', message: /at most 64 ended sessions stay/ }],
  ];

  it.each(SCARCITIES)(
    'that has to go for want of %s is the oldest, and its id tells how it ended and why it went',
    async (what, scarcity) => {
      const { cmd = 'seq 1 700000', totalBytes = 1_000 * MIB, endedMemoryBytes = ENDED_MEMORY_BYTES, message } = scarcity;
      const spoolFolder = new SpoolFolder(tempDir(), () => ({ sessionBytes: 1_000 * MIB, totalBytes }));
      const client = await startClient(createManager({ spoolFolder, endedMemoryBytes }));
      const running = await client.exec(`${cmd}; sleep 60`, { yield_time_ms: 0 });
      const commands =
        what === 'numbers' ? Array.from({ length: MAX_ENDED_SESSIONS + 1 }, () => cmd) : [`${cmd}; exit 3`, cmd, ...RECENT];
      const ids: number[] = [];
      for (const one of commands) ids.push((await client.exec(one, LONG)).structured.sessionId);
      if (what === 'disk') await client.exec(cmd, LONG);

      const kept = (await client.list()).map(({ sessionId }) => sessionId);
      const reply = await client.poll(ids[0]!);
      const resource = client.client.readResource({ uri: `exec-session://${String(ids[0])}/transcript` });

      expect(kept).toContain(running.structured.sessionId);
      expect(kept).toEqual(expect.arrayContaining(ids.slice(-RECENT_SESSIONS)));
      expect(reply).toMatchObject({ isError: true, status: expect.stringMatching(message) });
      expect(reply.status).toMatch(what === 'numbers' ? /ended \(exit code 0\)/ : /ended \(exit code 3\)/);
      await expect(resource).rejects.toThrow(message);
    },
  );

  it('is kept however much it holds while it is one of the last', async () => {
    const spoolFolder = new SpoolFolder(tempDir(), () => ({ sessionBytes: 10 * MIB, totalBytes: 5 * MIB }));
    const client = await startClient(createManager({ spoolFolder, endedMemoryBytes: 0 }));
    const ids: number[] = [];
    for (let run = 0; run < RECENT_SESSIONS; run++) ids.push((await client.exec('seq 1 700000', LONG)).structured.sessionId);

    const kept = (await client.list()).map(({ sessionId }) => sessionId);

    expect(kept).toEqual(ids);
  });

  it('is kept for as long, and within as much, as the documentation says', () => {
    const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');

    expect(readme).toContain(
      `stays for ${String(ENDED_RETENTION_MS / 60_000)} minutes, the last ${String(MAX_ENDED_SESSIONS)} of them`,
    );
    expect(readme).toContain(`within ${String(ENDED_MEMORY_BYTES / MIB)} MiB of memory`);
    expect(readme).toContain(`the last ${String(RECENT_SESSIONS)} of them never`);
  });
});

describe.runIf(isLinux)('what is kept of an output', () => {
  it('can be read by nobody else, whatever the mask of the process allows', async () => {
    const parent = tempDir();
    const mask = process.umask(0);
    onTestFinished(() => void process.umask(mask));
    const client = await startClient(createManager({ spoolFolder: new SpoolFolder(parent) }));

    await client.exec('seq 1 700000', LONG);

    const [folder = ''] = readdirSync(parent);
    const files = descriptorsIn(parent).map((fd) => fstatSync(fd));
    expect(statSync(path.join(parent, folder)).mode & 0o777).toBe(0o700);
    expect(files.map(({ mode, nlink }) => [mode & 0o777, nlink])).toEqual([[0o600, 0]]);
    expect(readdirSync(path.join(parent, folder))).toEqual([]);
  });

  it.each([true, false])('is out of reach of the programs that run (tty: %s)', async (tty) => {
    const parent = tempDir();
    const client = await startClient(createManager({ spoolFolder: new SpoolFolder(parent) }));
    await client.exec('seq 1 700000', LONG);

    const { structured } = await client.exec('ls -l /proc/self/fd', { tty });

    expect(descriptorsIn(parent)).toHaveLength(1);
    expect(structured.output).not.toContain(parent);
  });
});
