import { describe } from 'vitest';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { describeFiles } from './anyFileSystem';

describe.skipIf(process.platform === 'win32')('files of this machine', () => {
  describeFiles(() => new LocalFileSystem());
});
