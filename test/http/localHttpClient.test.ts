import { describe } from 'vitest';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { describeRequests, SENDER_ENV } from './requests';

describe('from this machine', () => {
  describeRequests(() => new LocalHttpClient(SENDER_ENV));
});
