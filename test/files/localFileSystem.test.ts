import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_LISTED_ENTRIES } from '../../src/files/limits';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { tempDir } from '../support/tempDir';
import { describeFiles } from './anyFileSystem';
import { describeSandbox } from './anySandbox';

describe.skipIf(process.platform === 'win32')('files of this machine', () => {
  describeFiles(() => new LocalFileSystem());

  it('are listed up to as many as one message of the protocol can name', async () => {
    const folder = tempDir();
    for (let index = 0; index <= MAX_LISTED_ENTRIES; index++) writeFileSync(path.join(folder, String(index)), '');
    const files = new LocalFileSystem();
    const limits = { maxDepth: 0, maxDirectories: 1, maxEntries: 1_000_000, followDirectorySymlinks: false };

    await expect(files.readDirectory(folder)).rejects.toThrow(`no more than ${String(MAX_LISTED_ENTRIES)}`);
    const walked = await files.walk(folder, limits);

    expect([walked.entries.length, walked.isTruncated]).toEqual([MAX_LISTED_ENTRIES, true]);
  });
});

describe.skipIf(process.platform !== 'linux')('a sandbox around the files of this machine', () => {
  describeSandbox(() => new LocalFileSystem());
});
