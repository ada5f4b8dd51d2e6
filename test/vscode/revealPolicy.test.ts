import { expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../src/session/session';
import type { SessionRequest } from '../../src/session/sessionRequest';
import { REVEAL_MODES, type RevealMode } from '../../src/vscode/contributions';
import { RevealPolicy } from '../../src/vscode/terminal/revealPolicy';
import { createManager, startSession } from '../support/startSession';
import { until } from '../support/until';

interface Stage {
  readonly offered: string[];
  /** The agent that started it gets its first reply. */
  reply(session: Session): void;
  start(command: string, rest?: Partial<SessionRequest>): Promise<Session>;
}

function setUp(mode: RevealMode): Stage {
  const manager = createManager();
  const offered: string[] = [];
  const policy = new RevealPolicy({ manager, mode: () => mode, offer: ({ info }) => offered.push(info.title) });
  onTestFinished(() => policy.dispose());
  return {
    offered,
    reply: (session) => manager.noteFirstReply(session),
    start: (command, rest) => startSession(manager, command, rest),
  };
}

it.each([
  ['always', ['quick', 'left running', 'asks']],
  ['onInput', ['asks']],
  ['longRunning', ['left running', 'asks']],
  ['never', []],
] as const)('with %s, tabs appear by themselves for %j', async (mode, expected) => {
  const { offered, start, reply } = setUp(mode);

  const quick = await start('true', { title: 'quick' });
  await quick.waitForEnd(20_000);
  reply(quick);
  const leftRunning = await start('sleep 60', { title: 'left running' });
  reply(leftRunning);
  const asking = await start('read -p "go? " x; read -p "sure? " y', { title: 'asks' });
  await until('it asks', () => asking.waitingFor === 'input');
  await asking.write(Buffer.from('yes\n'), 'agent');
  await until('it asks again', () => asking.lastLine().includes('sure') && asking.waitingFor === 'input');

  expect(offered).toEqual(expected);
});

it.each(REVEAL_MODES)('with %s, what a person starts is for that person to show', async (mode) => {
  const { offered, start, reply } = setUp(mode);

  const session = await start('read x', { startedBy: 'user' });
  await until('it waits', () => session.waitingFor === 'input');
  reply(session);

  expect(offered).toEqual([]);
});
