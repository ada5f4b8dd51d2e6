import { describe, expect, it } from 'vitest';
import { findFileSupport } from '../../src/environment/fileSupport';
import { RemoteFileSystem } from '../../src/execServer/client/remoteFileSystem';
import { createClient, createServerUnderTest, dialerTo } from '../execServer/support/serverFixture';
import { ExecServer } from '../../src/execServer/server/execServer';
import { LocalBackend } from '../../src/process/localBackend';
import { nullLog } from '../support/nullLog';

describe('the files of an environment', () => {
  it('are there where its server works on files', async () => {
    const files = new RemoteFileSystem(createClient(await dialerTo(createServerUnderTest(), 'memory')));

    expect(await findFileSupport({ files, label: 'box' })).toEqual({ kind: 'available' });
  });

  it('are missing, with the reason, where it does not', async () => {
    const server = new ExecServer({ backend: new LocalBackend(), log: nullLog });
    const files = new RemoteFileSystem(createClient(await dialerTo(server, 'memory')));

    expect(await findFileSupport({ files, label: 'box' })).toEqual({
      kind: 'missing',
      reason: 'The exec-server of box works on no files.',
    });
    await expect(files.readFile('/etc/hostname')).rejects.toMatchObject({ kind: 'unsupported' });
  });

  it('are not to be had from a machine that cannot be reached, which is told as such', async () => {
    const files = new RemoteFileSystem(
      createClient({ label: 'box', isLasting: true, dial: () => Promise.reject(new Error('nobody listens there')) }),
    );

    await expect(findFileSupport({ files, label: 'box' })).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('nobody listens there'),
    });
  });
});
