/** Clients wait for what is not there yet, such as instructions for agents. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_MISSING_PATHS } from '../../src/files/missingWatch';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { RawClient } from './support/rawClient';
import { createServerUnderTest } from './support/serverFixture';

const uri = (file: string): string => `file://${file}`;

async function watch(client: RawClient, watchId: number, missing: readonly string[], present?: string): Promise<unknown> {
  const params = { watchId, missing: missing.map(uri), present: present === undefined ? null : uri(present) };
  const { result, error } = await client.request('fs/watchMissing', params);
  return result?.['watching'] ?? error?.code;
}

function toldIds(client: RawClient): unknown[] {
  return client.received.filter(({ method }) => method === 'fs/missingChanged').map(({ params }) => params!['watchId']);
}

async function told(client: RawClient, watchId: number): Promise<void> {
  await until(`${String(watchId)} is told`, () => toldIds(client).includes(watchId));
}

describe('a watch for what is missing', () => {
  it.each([
    ['a file appears', (folder: string) => writeFileSync(path.join(folder, 'file'), '')],
    ['a file is moved there', (folder: string) => renameSync(path.join(folder, 'other'), path.join(folder, 'file'))],
    ['a folder on the way appears', (folder: string) => mkdirSync(path.join(folder, 'deep'))],
    ['the whole folder goes', (folder: string) => rmSync(folder, { recursive: true })],
  ])('is told once when %s', async (_title, change) => {
    const folder = path.join(tempDir(), 'project');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'other'), '');
    const client = await RawClient.open(createServerUnderTest());

    const isWatched = await watch(client, 1, [path.join(folder, 'file'), path.join(folder, 'deep', 'er', 'file')]);
    change(folder);
    await told(client, 1);

    expect([isWatched, toldIds(client)]).toEqual([true, [1]]);
  });

  it.each([
    ['changes', (file: string) => appendFileSync(file, 'more')],
    ['goes', (file: string) => rmSync(file)],
    ['is replaced', (file: string) => renameSync(`${file}.new`, file)],
  ])('is told when what is present %s', async (_title, change) => {
    const present = path.join(tempDir(), 'present');
    for (const file of [present, `${present}.new`]) writeFileSync(file, '');
    const client = await RawClient.open(createServerUnderTest());

    expect(await watch(client, 1, [`${present}.missing`], present)).toBe(true);
    change(present);
    await told(client, 1);
  });

  it('is told of nothing else that happens in the folder', async () => {
    const folder = tempDir();
    const client = await RawClient.open(createServerUnderTest());
    await watch(client, 1, [path.join(folder, 'file')]);

    writeFileSync(path.join(folder, 'other'), '');
    writeFileSync(path.join(folder, 'file'), '');
    await told(client, 1);

    expect(toldIds(client)).toEqual([1]);
  });

  it('gives way to one with a higher number, and to no other', async () => {
    const folder = tempDir();
    const [one, two, three] = ['one', 'two', 'three'].map((name) => path.join(folder, name)) as [string, string, string];
    const client = await RawClient.open(createServerUnderTest());

    expect([await watch(client, 5, [one]), await watch(client, 6, [two]), await watch(client, 6, [three])]).toEqual([
      true,
      true,
      false,
    ]);
    for (const file of [one, three, two]) writeFileSync(file, '');
    await told(client, 6);

    expect(toldIds(client)).toEqual([6]);
  });

  it('does not begin where there is nothing to wait for', async () => {
    const folder = tempDir();
    const there = path.join(folder, 'there');
    const missing = path.join(folder, 'missing');
    writeFileSync(there, '');
    symlinkSync('nowhere', path.join(folder, 'dangling'));
    const client = await RawClient.open(createServerUnderTest());
    const many = Array.from({ length: MAX_MISSING_PATHS + 1 }, (_, index) => path.join(folder, String(index)));

    expect([
      await watch(client, 1, []),
      await watch(client, 2, [missing, there]),
      await watch(client, 3, [missing], path.join(folder, 'gone')),
      await watch(client, 4, [path.join(folder, 'dangling')]),
      await watch(client, 5, many),
    ]).toEqual([false, false, false, false, false]);
  });

  it('is the connection’s, whose numbers begin anew', async () => {
    const file = path.join(tempDir(), 'file');
    const server = createServerUnderTest();
    const first = await RawClient.open(server);
    await watch(first, 7, [file]);
    first.drop();

    const resumed = await RawClient.open(server, first.sessionId);
    expect(await watch(resumed, 1, [file])).toBe(true);
    writeFileSync(file, '');
    await told(resumed, 1);

    expect(toldIds(resumed)).toEqual([1]);
  });
});
