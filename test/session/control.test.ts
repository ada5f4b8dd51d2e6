import { describe, expect, it, test } from 'vitest';
import { Control, type SessionWriteResult, type Writer } from '../../src/session/control';
import type { Session } from '../../src/session/session';
import type { SessionRequest } from '../../src/session/sessionRequest';
import type { WaitingFor } from '../../src/session/terminal/inputWatch';
import { createManager, startSession } from '../support/startSession';
import { until } from '../support/until';

const LONG_MS = 20_000;
const WRITTEN: SessionWriteResult = { kind: 'written' };
const HIDDEN: SessionWriteResult = { kind: 'refused', reason: 'hiddenInput' };

function startAttended(command: string, rest: Partial<SessionRequest> = {}): Promise<Session> {
  return startSession(createManager({ isAttended: true }), command, rest);
}

function type(session: Session, text: string, writer: Writer): Promise<SessionWriteResult> {
  return session.write(Buffer.from(text), writer);
}

function seen(session: Session, waitingFor: WaitingFor): Promise<boolean> {
  return until(`it is seen to wait for ${waitingFor}`, () => session.waitingFor === waitingFor);
}

describe('while the user holds a session', () => {
  it('what an agent types is refused, what the user types is not', async () => {
    const session = await startAttended('cat');

    session.takeOver();
    const held = [await type(session, 'agent\n', 'agent'), await type(session, 'user\n', 'user')];
    session.giveBack();
    const shared = await type(session, 'again\n', 'agent');
    await until('the last line is printed', () => session.lastLine() === 'again');

    expect([...held, shared]).toEqual([{ kind: 'refused', reason: 'userHolds' }, WRITTEN, WRITTEN]);
    expect(session.replay().toString()).not.toContain('agent');
  });

  it('its questions wake nobody who waits for it, giving it back does', async () => {
    const session = await startAttended('read -p "Sure? " x; sleep 60');
    session.takeOver();
    const waiting = session.wait(LONG_MS);
    await seen(session, 'input');

    session.giveBack();

    expect(await waiting).toBe('givenBack');
  });

  it('who was told so is answered at once when it has been given back meanwhile', async () => {
    const session = await startAttended('sleep 60');

    expect(await session.wait(LONG_MS, { wasHeld: true })).toBe('givenBack');
  });

  it('everybody who follows it is told once of each change, and of its end that nobody holds it', async () => {
    const session = await startAttended('cat');
    await seen(session, 'input');
    const told: string[] = [];
    session.onDidChange(() => told.push(`${session.state.kind} ${session.holder}`));

    session.takeOver();
    session.takeOver();
    session.giveBack();
    session.takeOver();
    await session.terminate('user');
    session.takeOver();

    expect(told.slice(0, 4)).toEqual(['running user', 'running shared', 'running user', 'ended shared']);
    expect(session.holder).toBe('shared');
  });
});

describe('hidden input', () => {
  test.each([
    ['of bash', 'read -s -p "Password: " x; echo "got ${#x}"', 'got 6'],
    ['of getpass', `python3 -c 'import getpass; print("got", len(getpass.getpass()))'`, 'got 6'],
    ['of ssh-keygen', `ssh-keygen -q -t ed25519 -f key; echo "done $?"`, 'same passphrase again'],
    ['of a program that switches the echo off', 'stty -echo; cat', 'hunter'],
  ])('%s is refused from an agent and taken from the user', async (_, command, answer) => {
    const session = await startAttended(command);
    await seen(session, 'hidden');

    const refused = [await type(session, 'secret\n', 'agent'), await type(session, '\n', 'agent')];
    const taken = await type(session, 'hunter\n', 'user');
    await until('the program goes on', () => session.replay().toString().includes(answer));

    expect([...refused, taken]).toEqual([HIDDEN, HIDDEN, WRITTEN]);
    expect(session.replay().toString()).not.toContain('secret');
  });

  it.each([
    ['Ctrl-C', '\u0003', { kind: 'signal', signal: 'SIGINT' }],
    ['Ctrl-D', '\u0004', { kind: 'code', code: 1 }],
  ])('can be got out of by an agent with %s', async (_, key, end) => {
    const session = await startAttended('read -s x');
    await seen(session, 'hidden');

    const result = await type(session, key, 'agent');
    await session.waitForEnd(LONG_MS);

    expect([result, session.state]).toMatchObject([WRITTEN, { status: end }]);
  });

  it('with more than a key that leads out is still refused', async () => {
    const session = await startAttended('read -s x');
    await seen(session, 'hidden');

    expect(await type(session, '\u0003ls\n', 'agent')).toEqual(HIDDEN);
  });

  it('is still refused when the user has typed half of it', async () => {
    const session = await startAttended('read -s x; echo "got ${#x}"');
    await seen(session, 'hidden');

    await type(session, 'hun', 'user');
    const waitingFor = [session.inputWait().waitingFor, session.waitingFor];
    const refused = await type(session, 'x\n', 'agent');
    await type(session, 'ter\n', 'user');
    await session.waitForEnd(LONG_MS);

    expect([waitingFor, refused]).toEqual([['hidden', 'hidden'], HIDDEN]);
    expect(session.replay().toString()).toContain('got 6');
  });

  it('is typed by an agent where no person can', async () => {
    const session = await startSession(createManager({ isAttended: false }), 'read -s x; echo "got ${#x}"');
    await seen(session, 'hidden');

    expect(await type(session, 'hunter\n', 'agent')).toEqual(WRITTEN);
  });
});

describe('what a program waits for', () => {
  it('is noticed, and that it goes on, although nobody waits for it', async () => {
    const manager = createManager();
    let told: WaitingFor = 'none';
    manager.onDidChange(({ waitingFor }) => (told = waitingFor));
    const toldOf = (waitingFor: WaitingFor) => until(`everybody is told of ${waitingFor}`, () => told === waitingFor);
    const session = await startSession(manager, 'sleep 0.3; read -p "Name? " x; read -s y; sleep 60');

    await toldOf('input');
    await type(session, 'Ann\n', 'user');
    await toldOf('hidden');
    await type(session, 'secret\n', 'user');
    await toldOf('none');

    expect(session.waitingFor).toBe('none');
  });

  it('is nothing after its end', async () => {
    const session = await startAttended('read x');
    await seen(session, 'input');

    await session.terminate('user');

    expect(session.waitingFor).toBe('none');
  });
});

describe('the user', () => {
  test.each([
    ['of a session that an agent started and typed into', 'chat', 'agent', 1, false],
    ['of a session that an agent started', 'cliAgent', undefined, 1, false],
    ['who has just typed into a session of an agent', 'chat', 'user', 2_000, true],
    ['who typed into a session of an agent some time ago', 'chat', 'user', 60_000, false],
    ['of a shell of their own', 'user', undefined, 1, true],
    ['who typed last into a shell of their own', 'user', 'user', 60_000, true],
    ['of a shell that an agent typed into', 'user', 'agent', 1, false],
  ] as const)('%s is in front of it or not', (_, startedBy, author, agoMs, isThere) => {
    let now = 0;
    const control = new Control({ startedBy, isAttended: true }, () => now);
    if (author !== undefined) control.noteTyped(author);
    now = agoMs;

    expect(control.isUserPresent).toBe(isThere);
  });

  it('is in front of a session that they have typed into or taken over', async () => {
    const session = await startAttended('cat');
    const before = session.isUserPresent;
    await type(session, 'x\n', 'user');
    const typed = session.isUserPresent;
    await type(session, 'x\n', 'agent');
    const overtyped = session.isUserPresent;
    session.takeOver();

    expect([before, typed, overtyped, session.isUserPresent]).toEqual([false, true, false, true]);
  });
});
