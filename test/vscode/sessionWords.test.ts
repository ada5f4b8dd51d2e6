import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../src/session/session';
import type { SessionState } from '../../src/session/sessionState';
import { durationWords, endWords, sessionTitle, stateWords } from '../../src/vscode/sessionWords';
import { english } from './english';

const NOW_MS = 1_800_000_000_000;

const info: SessionInfo = {
  id: 4711,
  title: 'npm test',
  command: 'npm test',
  shell: '/bin/bash',
  isLogin: true,
  cwd: '/work',
  isTerminal: true,
  size: undefined,
  omittedVariables: [],
  startedBy: 'chat',
  client: undefined,
  startedAt: NOW_MS - 12_300,
};

type Ended = Extract<SessionState, { kind: 'ended' }>;

const ended = (change: Partial<Ended>): Ended => ({
  kind: 'ended',
  reason: 'exited',
  status: { kind: 'code', code: 0 },
  isOutputHeld: false,
  endedAt: NOW_MS,
  ...change,
});

describe('how it ended', () => {
  const cases: readonly (readonly [Ended, string])[] = [
    [ended({}), 'exit code 0'],
    [ended({ status: { kind: 'code', code: 3 } }), 'exit code 3'],
    [ended({ reason: 'signal', status: { kind: 'signal', signal: 'SIGKILL' } }), 'ended by signal SIGKILL'],
    [ended({ reason: 'terminatedByAgent', status: { kind: 'signal', signal: 'SIGTERM' } }), 'ended by the agent'],
    [ended({ reason: 'terminatedByUser' }), 'ended by you'],
    [ended({ reason: 'tabClosed', status: undefined }), 'ended by closing its tab'],
    [ended({ reason: 'shutdown', status: undefined }), 'ended with the window'],
  ];

  it.each(cases)('%j is called "%s"', (state, expected) => {
    expect(endWords(state, english)).toBe(expected);
  });
});

describe('the state with its age', () => {
  const cases: readonly (readonly [SessionState, string])[] = [
    [{ kind: 'running' }, 'running · 12 s'],
    [ended({ endedAt: NOW_MS - 1_000 }), 'exit code 0'],
    [ended({ endedAt: NOW_MS - 125_000, status: { kind: 'code', code: 3 } }), 'exit code 3 · 2 min ago'],
  ];

  it.each(cases)('%j is "%s"', (state, expected) => {
    expect(stateWords({ info, state }, NOW_MS, english)).toBe(expected);
  });

  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000 * 25 + 60_000, '25 h 1 min'],
  ])('%i milliseconds are "%s"', (durationMs, expected) => {
    expect(durationWords(durationMs, english)).toBe(expected);
  });
});

describe('the title', () => {
  it.each([
    ['npm test', 'npm test'],
    ['echo hi\nexit 1', 'echo hi exit 1'],
    ['\u001b\u0007', '4711'],
    ['echo $(date)', 'echo $\u2060(date)'],
  ])('%j becomes %j', (title, expected) => {
    expect(sessionTitle({ info: { ...info, title } })).toBe(expected);
  });
});
