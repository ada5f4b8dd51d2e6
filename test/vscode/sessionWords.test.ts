import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../src/session/session';
import type { SessionState } from '../../src/session/sessionState';
import {
  durationWords,
  endWords,
  rowWords,
  sessionTitle,
  starterWords,
  stateWords,
  tabName,
} from '../../src/vscode/sessionWords';
import { type ActiveSession, needsPerson } from '../../src/vscode/activity';
import { english } from './english';

const NOW_MS = 1_800_000_000_000;

const info: SessionInfo = {
  id: 4711,
  title: 'npm test',
  command: 'npm test',
  environment: { id: 'local', label: 'this machine' },
  shell: '/bin/bash',
  isLogin: true,
  cwd: '/work',
  isTerminal: true,
  size: undefined,
  omittedVariables: [],
  startedBy: 'chat',
  client: undefined,
  isAttended: true,
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

/** A session of an agent's command that works, but for `change`. */
const sessionOf = (change: Partial<ActiveSession>): ActiveSession => ({
  info,
  state: { kind: 'running' },
  waitingFor: 'none',
  isListening: false,
  holder: 'shared',
  ...change,
});
const BOX = { id: 'box', label: 'the build box' };
const shell: SessionInfo = { ...info, command: undefined };

describe('the name of the tab', () => {
  const cases: readonly (readonly [string, Partial<ActiveSession>])[] = [
    ['npm test', {}],
    ['npm test (held by you)', { holder: 'user' }],
    ['npm test (exit code 0)', { state: ended({}) }],
    ['npm test on box', { info: { ...info, environment: BOX } }],
    ['npm test on box (exit code 0)', { info: { ...info, environment: BOX }, state: ended({}) }],
  ];

  it.each(cases)('is "%s" for %j', (expected, change) => {
    expect(tabName(sessionOf(change), english)).toBe(expected);
  });
});

describe('the state with its age', () => {
  const cases: readonly (readonly [string, Partial<ActiveSession>])[] = [
    ['running · 12 s', {}],
    ['running · 12 s', { waitingFor: 'unknown' }],
    ['running · held by you · 12 s', { holder: 'user' }],
    ['waiting for input · 12 s', { waitingFor: 'input' }],
    ['waiting for hidden input · 12 s', { waitingFor: 'hidden' }],
    ['waiting for keys · 12 s', { waitingFor: 'screen' }],
    ['listening · 12 s', { waitingFor: 'input', isListening: true }],
    ['ready · 12 s', { waitingFor: 'input', info: shell }],
    ['running · 12 s', { info: shell }],
    ['exit code 0', { state: ended({ endedAt: NOW_MS - 1_000 }) }],
    ['exit code 3 · 2 min ago', { state: ended({ endedAt: NOW_MS - 125_000, status: { kind: 'code', code: 3 } }) }],
  ];

  it.each(cases)('is "%s" for %j', (expected, change) => {
    expect(stateWords(sessionOf(change), NOW_MS, english)).toBe(expected);
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

describe('who started it', () => {
  it.each([
    [{ startedBy: 'chat' }, 'an agent in the chat'],
    [{ startedBy: 'chat', client: 'Visual Studio Code' }, 'an agent in the chat (Visual Studio Code)'],
    [{ startedBy: 'cliAgent', client: 'claude-code' }, 'a command-line agent (claude-code)'],
    [{ startedBy: 'codex' }, 'Codex'],
    [{ startedBy: 'user', client: 'ignored' }, 'you'],
  ] as const)('%j is called "%s"', (change, expected) => {
    expect(starterWords({ info: { ...info, ...change } }, english)).toBe(expected);
  });
});

describe('a row of the list', () => {
  const cases: readonly (readonly [expected: string, change: Partial<SessionInfo>, remoteName: string | undefined])[] = [
    ['running · 12 s · chat', { client: 'Visual Studio Code' }, undefined],
    ['running · 12 s · claude-code', { startedBy: 'cliAgent', client: 'claude-code' }, undefined],
    ['running · 12 s · an agent with a lon…', { startedBy: 'cliAgent', client: 'an agent with a long name' }, undefined],
    ['running · 12 s · CLI agent', { startedBy: 'cliAgent' }, undefined],
    ['running · 12 s · Codex', { startedBy: 'codex' }, undefined],
    ['running · 12 s · you', { startedBy: 'user' }, undefined],
    ['running · 12 s · chat · ssh-remote', {}, 'ssh-remote'],
    ['running · 12 s · chat · build.example:8080', {}, 'build.example:8080'],
    ['running · 12 s · chat · box', { environment: BOX }, undefined],
    ['running · 12 s · chat · box', { environment: BOX }, 'ssh-remote'],
    ['running · 12 s · chat', {}, '127.0.0.1:8080'],
    ['running · 12 s · chat', {}, 'localhost:8080'],
    ['running · 12 s · chat', {}, '[::1]:8080'],
  ];

  it.each(cases)('says "%s" for %j in a window with the remote %s', (expected, change, remoteName) => {
    const session = sessionOf({ info: { ...info, ...change } });

    expect(rowWords(session, { nowMs: NOW_MS, remoteName }, english)).toBe(expected);
  });
});

describe('the need of a person', () => {
  const own: SessionInfo = { ...info, startedBy: 'user' };
  const cases: readonly (readonly [boolean, string, Partial<ActiveSession>])[] = [
    [false, 'a program that works', {}],
    [true, 'a password, whoever started the program', { waitingFor: 'hidden' }],
    [true, 'a password in a shell', { waitingFor: 'hidden', info: shell }],
    [false, 'a question to an agent', { waitingFor: 'input' }],
    [true, 'a question of a program that the person has taken over', { waitingFor: 'input', holder: 'user' }],
    [true, "a question of the person's own program", { waitingFor: 'input', info: own }],
    [false, 'a server that listens', { waitingFor: 'input', isListening: true, info: own }],
    [false, 'a full-screen program', { waitingFor: 'screen', info: own }],
    [false, 'a shell at its prompt', { waitingFor: 'input', info: { ...own, command: undefined } }],
    [false, 'what has ended', { state: ended({}), info: own }],
  ];

  it.each(cases)('is %s for %s', (expected, _, change) => {
    expect(needsPerson(sessionOf(change))).toBe(expected);
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
