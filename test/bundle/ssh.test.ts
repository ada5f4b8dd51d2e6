/** The built exec-server on a host behind a real ssh. */
import { describe, expect, it } from 'vitest';
import { RemoteBackend } from '../../src/execServer/client/remoteBackend';
import { programDialer } from '../../src/execServer/transports/programDialer';
import { listProcesses } from '../../src/process/processMembers';
import { createClient } from '../execServer/support/serverFixture';
import { hasSshd, startSshHost } from '../support/sshHost';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';
import { until } from '../support/until';

describe.skipIf(!hasSshd)('over ssh, an agent', () => {
  it('runs a command on the other host, and types into it', async () => {
    const backend = new RemoteBackend(createClient(programDialer({ argv: await startSshHost() })));
    const client = await startClient(createManager({ backend }));

    const asked = await client.exec('read -p "name? " name; echo "hello $name"', { yield_time_ms: 20_000 });
    const answered = await client.write(asked.structured.sessionId, 'you\n', { yield_time_ms: 20_000 });

    expect([asked.structured.waitingFor, asked.structured.output]).toEqual(['input', 'name? ']);
    expect(answered.structured).toMatchObject({ isRunning: false, exitCode: 0 });
    expect(answered.structured.output).toContain('hello you');
  });

  it('is told that the host is lost when ssh is killed, and nothing goes on over there', async () => {
    const backend = new RemoteBackend(createClient(programDialer({ argv: await startSshHost() })));
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
