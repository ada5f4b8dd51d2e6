import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/session/session';
import type { SessionManager } from '../../src/session/sessionManager';
import { startClient, type ToolClient } from '../support/startClient';
import { createManager } from '../support/startSession';

/** Typed where the terminal shows nothing, and in a form that nothing else would print. */
const CANARY = 'cAnary-7f3e';

function attended(): SessionManager {
  return createManager({ isAttended: true });
}

function sessionOf(manager: SessionManager, id: number): Session {
  const lookup = manager.find(id);
  if (lookup.kind !== 'found') throw new Error(`session ${String(id)} is ${lookup.kind}`);
  return lookup.session;
}

/** The kind of the refusal and its text. */
async function refused(client: ToolClient, name: string, args: Record<string, unknown>): Promise<[unknown, string]> {
  const result = await client.client.callTool({ name, arguments: args });
  const [{ text }] = result.content as [{ text: string }];
  return [result._meta?.['exec-sessions/errorKind'], text];
}

describe('while the user has taken a session over', () => {
  it('an agent may wait, and neither type, nor end it, nor change its size', async () => {
    const manager = attended();
    const client = await startClient(manager);
    const id = await client.execUntil('echo ready; cat', 'ready');
    sessionOf(manager, id).takeOver();

    const refusals = [
      await refused(client, 'write_stdin', { session_id: id, chars: 'x\n' }),
      await refused(client, 'write_stdin', { session_id: id, chars: '\u0003' }),
      await refused(client, 'terminate_session', { session_id: id }),
      await refused(client, 'resize_session', { session_id: id, cols: 100, rows: 30 }),
    ];
    const { structured, status } = await client.poll(id, { yield_time_ms: 0 });
    const [listed] = await client.list();

    expect(refusals.map(([kind]) => kind)).toEqual(Array.from(refusals, () => 'userHolds'));
    expect(refusals[0]?.[1]).toBe(
      `Nothing was sent: the user has taken over session ${id} and works there alone. Call write_stdin with session_id ${id} and chars "" to wait: the reply comes when the user gives it back.`,
    );
    expect([structured.holder, structured.output, listed?.holder]).toEqual(['user', '', 'user']);
    expect(status).toContain(
      `The user has taken it over and works there alone: what you send is refused. To wait until they give it back, call write_stdin with session_id ${id} and chars "".`,
    );
  });

  it('a poll is answered when it is given back, with what the user did', async () => {
    const manager = attended();
    const client = await startClient(manager);
    const id = await client.execUntil('bash --norc -i', 'bash-');
    const session = sessionOf(manager, id);
    session.takeOver();
    await refused(client, 'write_stdin', { session_id: id, chars: 'x\n' });

    const polled = client.poll(id, { yield_time_ms: 60_000 });
    await session.write(Buffer.from('cd /tmp; X=1\r'), 'user');
    session.giveBack();
    const reply = await polled;
    const written = await client.write(id, 'echo "$PWD $X"\n', { wait_for: '/tmp 1' });

    expect(reply.structured).toMatchObject({ holder: 'shared', typedByUserBytes: 13 });
    expect(reply.status).toContain('The user has given it back: you may type again.');
    expect(written.structured.isMatched).toBe(true);
    expect(written.status).not.toContain('given it back');
  });

  it('a poll that comes after it was given back does not wait', async () => {
    const manager = attended();
    const client = await startClient(manager);
    const id = await client.execUntil('echo ready; sleep 60', 'ready');
    sessionOf(manager, id).takeOver();
    await refused(client, 'terminate_session', { session_id: id });
    sessionOf(manager, id).giveBack();

    const { status } = await client.poll(id, { yield_time_ms: 60_000 });

    expect(status).toContain('The user has given it back');
  });
});

describe('what the user typed into a shell', () => {
  it.each([
    [
      'is told line by line',
      undefined,
      ['echo human', 'ls /'],
      'The user typed 16 bytes, such as "echo human", "ls /" into it',
    ],
    ['is only counted where the setting says so', () => false, undefined, 'The user typed 16 bytes into it meanwhile.'],
  ] as const)('%s', async (_, tellsTypedText, lines, words) => {
    const manager = attended();
    const client = await startClient(manager, { ...(tellsTypedText !== undefined && { tellsTypedText }) });
    const id = await client.execUntil('bash --norc -i', 'bash-');

    for (const typed of ['echo human\r', 'ls /\r']) await sessionOf(manager, id).write(Buffer.from(typed), 'user');
    const { structured, status } = await client.poll(id, { wait_for: 'usr' });

    expect([structured.typedByUserBytes, structured.typedByUserLines]).toEqual([16, lines]);
    expect(status).toContain(words);
  });
});

describe('a password', () => {
  it('is for the user to type, who is waited for, and stays between them and the program', async () => {
    const manager = attended();
    const client = await startClient(manager);
    const asked = await client.exec(`read -s -p 'Password: ' x; echo "got \${#x}"`);
    const id = asked.structured.sessionId;
    const session = sessionOf(manager, id);

    const [kind, refusal] = await refused(client, 'write_stdin', { session_id: id, chars: 'guess\n' });
    const polled = client.poll(id, { yield_time_ms: 60_000 });
    for (const key of `${CANARY}\r`) await session.write(Buffer.from(key), 'user');
    const reply = await polled;

    expect([asked.structured.waitingFor, kind]).toEqual(['hidden', 'hiddenInput']);
    expect(asked.status).toContain(
      `The user types that into the terminal of session ${id}, as the window tells them: wait for it with chars "". What you send is refused meanwhile; Ctrl-C "\\u0003" or Ctrl-D "\\u0004" alone leads out of it.`,
    );
    expect(refusal).toContain('Only the user types that, into its terminal, as the window tells them.');
    expect(reply.structured).toMatchObject({
      output: `got ${CANARY.length}\n`,
      exitCode: 0,
      typedByUserBytes: 0,
      isHiddenTypedByUser: true,
    });
    expect(reply.status).toContain('The user typed hidden input into it meanwhile.');
    const resources = await Promise.all(
      (await client.client.listResources()).resources.map(({ uri }) => client.client.readResource({ uri })),
    );
    const all = [
      asked,
      reply,
      refusal,
      resources,
      await client.call('read_output', { session_id: id }),
      await client.call('read_output', { session_id: id, screen: true }),
      await client.list(),
      session.replay().toString(),
      session.recording().events.map((event) => (event.kind === 'output' ? event.bytes.toString() : '')),
    ];
    expect(resources).toHaveLength(2);
    expect(JSON.stringify(all)).not.toContain(CANARY);
    expect(JSON.stringify(all)).toContain('Password: ');
  });

  it('is typed by the agent where no person can type, and its tool says so', async () => {
    const client = await startClient(createManager({ isAttended: false }));
    const { status, structured } = await client.exec(`read -s x; echo "got \${#x}"`);

    const { structured: reply } = await client.write(structured.sessionId, 'secret\n');

    const { tools } = await client.client.listTools();
    const description = tools.find(({ name }) => name === 'write_stdin')?.description;
    expect(status).toContain('No person can type here: send it only if the user gave it to you for this;');
    expect(reply).toMatchObject({ output: 'got 6\n', exitCode: 0 });
    expect(description).toContain('No person can type here');
    expect(client.client.getInstructions()).toContain('which only you can type into');
  });
});
