/** A program with rights of its own, seen by somebody who has none of them: as it is for everybody but root. */
import { spawnSync } from 'node:child_process';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { cliPath } from '../support/builtCli';
import { connectClient } from '../support/startClient';

const NOBODY = '65534';

/** Starts a program without any right that goes beyond those of its user. */
const unprivileged =
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all']
    : ['env'];

function succeeds(...argv: readonly string[]): boolean {
  const [program, ...args] = [...unprivileged, ...argv];
  return spawnSync(program!, args).status === 0;
}

/** There is no `su`, or nobody else may read the build. */
const cannotTry = process.platform !== 'linux' || !succeeds('su', '--version') || !succeeds('test', '-r', cliPath);

it.skipIf(cannotTry)('tells that su waits for a password, although the system does not let it look', async () => {
  const [command, ...args] = [...unprivileged, process.execPath, cliPath, 'mcp', '--attach', 'never', '--cwd', '/'];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/', LANG: 'C.UTF-8' };
  const client = await connectClient(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));

  const asked = await client.exec('su root', { yield_time_ms: 20_000 });
  const ended = await client.write(asked.structured.sessionId, 'not the password\n', { yield_time_ms: 20_000 });

  expect(asked.structured).toMatchObject({ output: 'Password: ', waitingFor: 'hidden', isRunning: true });
  expect(ended.structured).toMatchObject({ isRunning: false, exitCode: 1 });
  expect(ended.structured.output).toContain('Authentication failure');
});
