import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DETACHED_LIFETIME_MS, RETAINED_BYTES } from '../../src/cli/runSessionHost';
import { INITIALIZE_TIMEOUT_MS } from '../../src/execServer/client/execServerClient';
import { CONNECT_TIMEOUT_MS } from '../../src/execServer/transports/webSocketDialer';
import { EXEC_YIELD_MS } from '../../src/mcp/limits';
import { REPLAY_BYTES } from '../../src/session/log/rawOutput';
import { KEPT_ENDED_TABS } from '../../src/vscode/contributions';
import { MAX_TEXT_BYTES } from '../../src/vscode/output/transcriptText';

const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');

const megabytes = (bytes: number): string => String(bytes / 1_024 ** 2);

it.each([
  [
    'how much of a transcript is shown',
    `all of it up to ${megabytes(MAX_TEXT_BYTES)} MB, of more the beginning and the end`,
  ],
  ['how much of a session is recorded', `the last ${megabytes(REPLAY_BYTES)} MiB of it`],
  ['what comes back after a reload', `their last ${megabytes(RETAINED_BYTES)} MB of output`],
  ['how long sessions wait for their window', `within ${String(DETACHED_LIFETIME_MS / 60_000)} minutes is ended`],
  ['after how long a command gets its tab', `or after ${String(EXEC_YIELD_MS / 1_000)} seconds`],
  ['how many tabs of ended commands stay', `all but the last ${String(KEPT_ENDED_TABS)}`],
  ['how long a server may take', `each is ${String(INITIALIZE_TIMEOUT_MS / 1_000)} unless given`],
  ['how long a connection may take', `each is ${String(CONNECT_TIMEOUT_MS / 1_000)} unless given`],
])('says in the README %s: as much as the code has', (_, words) => {
  expect(readme).toContain(words);
});
