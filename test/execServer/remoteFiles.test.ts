import { describe } from 'vitest';
import { RemoteFileSystem } from '../../src/execServer/client/remoteFileSystem';
import { describeFiles } from '../files/anyFileSystem';
import { describeSandbox } from '../files/anySandbox';
import { createClient, createServerUnderTest, dialerTo, TRANSPORTS } from './support/serverFixture';

describe.skipIf(process.platform === 'win32').each(TRANSPORTS)('files behind an exec-server, over %s', (kind) => {
  describeFiles(async () => new RemoteFileSystem(createClient(await dialerTo(createServerUnderTest(), kind))));
});

describe.skipIf(process.platform !== 'linux')('a sandbox around files behind an exec-server', () => {
  describeSandbox(async () => new RemoteFileSystem(createClient(await dialerTo(createServerUnderTest(), 'memory'))));
});
