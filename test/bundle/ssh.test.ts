/** The built exec-server on a host behind a real ssh: a server of Debian's on the loopback address, with keys made for the test. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { listProcesses } from '../../src/process/processMembers';
import { createClient } from '../execServer/support/serverFixture';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const cliPath = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** It has to be started by its full path. */
const sshdPath = '/usr/sbin/sshd';
/** The user that it gives its work without rights to; missing where it was not installed as a package. */
const hasSshd = existsSync(sshdPath) && readFileSync('/etc/passwd', 'utf8').includes('\nsshd:') && existsSync('/run/sshd');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function makeKey(file: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
}

/** Starts a host, and returns the command that leads to the exec-server there. */
async function startHost(): Promise<[string, ...string[]]> {
  const folder = tempDir();
  const [hostKey, userKey, config] = ['host', 'user', 'config'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  makeKey(hostKey);
  makeKey(userKey);
  const port = String(await freePort());
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${userKey}.pub`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PermitRootLogin yes',
  ];
  writeFileSync(config, `${settings.join('\n')}\n`);
  const sshd = spawn(sshdPath, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void sshd.kill());
  let log = '';
  sshd.stderr.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
  await until('the host listens', () => log.includes('listening'));
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes', 'LogLevel=ERROR'];
  const target = ['-F', 'none', '-i', userKey, '-p', port, ...options.flatMap((option) => ['-o', option])];
  return ['ssh', ...target, `${userInfo().username}@127.0.0.1`, `${process.execPath} ${cliPath} exec-server --listen stdio`];
}

describe.skipIf(!hasSshd)('over ssh, an agent', () => {
  it('runs a command on the other host, and types into it', async () => {
    const backend = new RemoteBackend(createClient(programDialer({ argv: await startHost() })));
    const client = await startClient(createManager({ backend }));

    const asked = await client.exec('read -p "name? " name; echo "hello $name"', { yield_time_ms: 20_000 });
    const answered = await client.write(asked.structured.sessionId, 'you\n', { yield_time_ms: 20_000 });

    expect([asked.structured.waitingFor, asked.structured.output]).toEqual(['input', 'name? ']);
    expect(answered.structured).toMatchObject({ isRunning: false, exitCode: 0 });
    expect(answered.structured.output).toContain('hello you');
  });

  it('is told that the host is lost when ssh is killed, and nothing goes on over there', async () => {
    const backend = new RemoteBackend(createClient(programDialer({ argv: await startHost() })));
    const manager = createManager({ backend });
    const client = await startClient(manager);
    const reply = client.exec('echo begun; while :; do sleep 0.1; echo more; done', { yield_time_ms: 300_000 });
    const session = await until('it prints', () => manager.list().find((one) => one.lastLine() === 'more'));
    const ssh = (await listProcesses()).find(({ name, parentPid }) => name === 'ssh' && parentPid === process.pid);

    process.kill(ssh!.pid, 'SIGKILL');

    const { structured, status } = await reply;
    expect(structured).toMatchObject({ isRunning: false, endReason: 'hostLost' });
    expect(status).toContain('The connection with ssh ended (the program ended with signal SIGKILL).');
    await until('its program is gone', async () => !(await listProcesses()).some(({ pid }) => pid === session.pid));
  });
});
