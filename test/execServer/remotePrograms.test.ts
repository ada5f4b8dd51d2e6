import { describe } from 'vitest';
import { describePrograms } from '../process/programs';
import { createRemoteBackend, TRANSPORTS } from './support/serverFixture';

describe.each(TRANSPORTS)('over %s', (kind) => {
  describePrograms(() => createRemoteBackend(kind));
});
