import { describe, expect, it } from 'vitest';
import { ExecServer } from '../../src/execServer/server/execServer';
import { LocalBackend } from '../../src/process/localBackend';
import { nullLog } from '../support/nullLog';
import { RawClient } from './support/rawClient';
import { createServerUnderTest } from './support/serverFixture';

async function capabilitiesOf(server: ExecServer): Promise<unknown> {
  const client = await RawClient.open(server);
  const { result } = await client.request('environment/info');
  return result!['capabilities'];
}

describe('the capabilities of a server', () => {
  it('tell of files where it has them', async () => {
    expect(await capabilitiesOf(createServerUnderTest())).toMatchObject({
      fileWriteStreaming: true,
      sandboxedFileStreaming: process.platform === 'linux',
    });
  });

  it('tell of no files where it has none, and its methods are not known', async () => {
    const server = new ExecServer({ backend: new LocalBackend(), log: nullLog });

    expect(await capabilitiesOf(server)).toMatchObject({ fileWriteStreaming: false, sandboxedFileStreaming: false });
    const client = await RawClient.open(server);
    expect((await client.request('fs/getMetadata', { path: 'file:///' })).error).toMatchObject({ code: -32601 });
  });
});
