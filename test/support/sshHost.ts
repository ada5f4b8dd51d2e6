/** A host behind a real ssh: a server of Debian's on the loopback address, with keys made for the test. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from './tempDir';
import { until } from './until';
import { cliPath } from './builtCli';

/** It has to be started by its full path. */
const sshdPath = '/usr/sbin/sshd';
/** Empty: where it works without rights. Debian's package leaves it to the service to make it. */
const privilegeFolder = '/run/sshd';
const isRoot = process.getuid?.() === 0;

/** Run by root it needs the user that it gives its work without rights to: made by its package. */
export const hasSshd = existsSync(sshdPath) && (!isRoot || readFileSync('/etc/passwd', 'utf8').includes('\nsshd:'));

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

/** Starts a host that ends with the running test, and returns the command that leads to the built exec-server there. */
export async function startSshHost(): Promise<[string, ...string[]]> {
  if (isRoot) mkdirSync(privilegeFolder, { recursive: true, mode: 0o755 });
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
