import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { builtDataFolder } from './test/session/text/tokens/builtData.mjs';

/** Tests that start browsers or other large programs: one file at a time, and time for a slow machine. */
const oneAtATime = { fileParallelism: false, maxWorkers: 1, testTimeout: 180_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    // Programs under test get real signals and terminals: workers must be processes of their own.
    pool: 'forks',
    // Real terminals, browsers and kernels on a machine that others use as well: what is wrong fails twice.
    retry: 1,
    dangerouslyIgnoreUnhandledErrors: false,
    // Groups run one after the other in this order, so that the cheap projects speak first.
    projects: [
      {
        extends: true,
        define: { BUILT_DATA_FOLDER: JSON.stringify(builtDataFolder) },
        test: {
          name: 'unit',
          include: [
            'test/{base,process,files,http,execServer,environment,mcpServers}/**/*.test.ts',
            'test/{session,mcp,attach,policy,cli,architecture,vscode}/**/*.test.ts',
          ],
          globalSetup: 'test/session/text/tokens/builtData.mjs',
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // Windows that command lines attach to run in the test itself, with the data that lies beside the command line.
        define: { BUILT_DATA_FOLDER: JSON.stringify(fileURLToPath(new URL('dist', import.meta.url))) },
        test: {
          name: 'bundle',
          include: ['test/bundle/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'interop', include: ['test/interop/**/*.test.ts'], ...oneAtATime, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: 'editor', include: ['test/editor/**/*.test.ts'], ...oneAtATime, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
