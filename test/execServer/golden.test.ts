/**
 * Conversations recorded with the exec-server of codex 0.171.0, played against ours: equal answers but for their wording.
 * The recordings hold no messages of errors, and no methods for files and discovery.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalHttpClient } from '../../src/http/localHttpClient';
import { LocalBackend } from '../../src/process/localBackend';
import { createServerUnderTest, listenOnLoopback } from './support/serverFixture';
import { recordedHostEnv, replay } from './support/replay';

const names = readdirSync(path.join(import.meta.dirname, 'golden')).map((file) => path.basename(file, '.jsonl'));

describe('a client of codex', () => {
  it.each(names)(
    'is answered as by its own server (%s)',
    async (name) => {
      const http = new LocalHttpClient({ MY_TOKEN: 'token', OPENAI_API_KEY: 'key' });
      const server = createServerUnderTest({ backend: new LocalBackend(undefined, recordedHostEnv()), http });

      const { differences, recorded, replayed } = await replay(name, await listenOnLoopback(server));

      expect(differences).toEqual([]);
      expect(replayed).toMatchObject(recorded);
    },
    30_000,
  );
});
