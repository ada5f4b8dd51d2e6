import { describe } from 'vitest';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { describeFiles } from './anyFileSystem';
import { describeSandbox } from './anySandbox';

describe.skipIf(process.platform === 'win32')('files of this machine', () => {
  describeFiles(() => new LocalFileSystem());
});

describe.skipIf(process.platform !== 'linux')('a sandbox around the files of this machine', () => {
  describeSandbox(() => new LocalFileSystem());
});
