/** A client and a server on two hosts, as the kernel sees them: the server has a network of its own, behind a cable that can be cut. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { webSocketDialer } from '../../src/execServer/transports/webSocketDialer';
import { createClient } from '../execServer/support/serverFixture';
import { cliPath } from '../support/builtCli';
import { runProcess } from '../support/runProcess';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const NEAR_ADDRESS = '10.213.47.1';
const FAR_ADDRESS = '10.213.47.2';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

/** Needs the rights to make networks, as in a container of one's own. */
function canMakeNetworks(): boolean {
  try {
    ip('netns', 'add', 'exec-sessions-try');
    ip('netns', 'delete', 'exec-sessions-try');
    return true;
  } catch {
    return false;
  }
}

interface FarHost {
  readonly name: string;
  cut(): void;
  restore(): void;
}

function createFarHost(): FarHost {
  const name = `es-${randomBytes(3).toString('hex')}`;
  const [near, far] = [`${name}-n`, `${name}-f`];
  ip('netns', 'add', name);
  onTestFinished(() => {
    ip('netns', 'delete', name);
  });
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far);
  ip('link', 'set', far, 'netns', name);
  ip('address', 'add', `${NEAR_ADDRESS}/30`, 'dev', near);
  ip('-netns', name, 'address', 'add', `${FAR_ADDRESS}/30`, 'dev', far);
  ip('-netns', name, 'link', 'set', far, 'up');
  ip('link', 'set', near, 'up');
  return { name, cut: () => ip('link', 'set', near, 'down'), restore: () => ip('link', 'set', near, 'up') };
}

/** Starts a server on the far host that asks for `token`. */
async function startServer({ name }: FarHost, token: string): Promise<string> {
  const file = path.join(tempDir(), 'token');
  writeFileSync(file, token);
  const listen = ['--listen', `ws://${FAR_ADDRESS}:0`, '--ws-auth', 'capability-token', '--ws-token-file', file];
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, cliPath, 'exec-server', ...listen], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  return until('it prints its address', () => /^ws:\S+$/m.exec(printed)?.[0]);
}

describe.skipIf(!canMakeNetworks())('two hosts', () => {
  it('lose nothing of a program when the cable between them is cut and put back', async () => {
    const host = createFarHost();
    const token = randomBytes(16).toString('hex');
    const url = await startServer(host, token);
    const client = createClient(webSocketDialer({ url, token, probeIntervalMs: 200 }));
    const command = 'for i in {0..39}; do echo line $i; sleep 0.3; done; exit 5';
    const ran = await runProcess({ terminal: undefined, command }, new RemoteBackend(client));
    await until('it begins', () => ran.output().includes('line 3\n'));

    host.cut();
    await until('the client has noticed', () => client.state.kind === 'recovering');
    host.restore();
    await ran.closed;

    const lines = Array.from({ length: 40 }, (_, index) => `line ${String(index)}\n`).join('');
    expect([ran.output(), ...ran.events]).toEqual([lines, 'exit code 5', 'closed']);
  });
});
