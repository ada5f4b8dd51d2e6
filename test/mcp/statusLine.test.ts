import { describe, expect, it } from 'vitest';
import { describeDuration } from '../../src/mcp/durations';
import { statusLine, type StatusFacts } from '../../src/mcp/statusLine';
import type { Holder } from '../../src/session/control';
import type { Session, SessionInfo } from '../../src/session/session';
import type { SessionState } from '../../src/session/sessionState';

const NEWS: StatusFacts['news'] = {
  output: { text: '', totalBytes: 0, omittedBytes: 0, omittedLines: 0 },
  isScreen: false,
  maskedSecrets: 0,
  isHeldBack: false,
  isBlocked: true,
  waitingFor: 'none',
  typedByUser: { bytes: 0, hasHidden: false, lines: [] },
  isGivenBack: false,
};

const HERE = { id: 'local', label: 'this machine' };

function session(
  state: Partial<Extract<SessionState, { kind: 'ended' }>>,
  info: Partial<SessionInfo> = {},
  holder: Holder = 'shared',
): Session {
  const ended = { kind: 'ended', reason: 'exited', status: { kind: 'code', code: 0 }, isOutputHeld: false, endedAt: 3_500 };
  const fullInfo = {
    id: 4_711,
    command: 'make',
    environment: HERE,
    shell: '/bin/sh',
    isTerminal: true,
    startedAt: 1_000,
    ...info,
  };
  return { info: fullInfo, state: { ...ended, ...state }, holder } as unknown as Session;
}

function line(
  state: Parameters<typeof session>[0],
  facts: Partial<StatusFacts> = {},
  info: Partial<SessionInfo> = {},
): string {
  return statusLine({ session: session(state, info), news: NEWS, ...facts });
}

const TERM = { kind: 'signal', signal: 'SIGTERM' } as const;
const KILL = { kind: 'signal', signal: 'SIGKILL' } as const;

describe('the status line', () => {
  it.each<[string, string]>([
    [line({}), 'Session 4711 ended after 2.5 s: exit code 0, run by /bin/sh.'],
    [
      line({}, {}, { environment: { id: 'box', label: 'the build box' } }),
      'Session 4711 in environment box ended after 2.5 s: exit code 0, run by /bin/sh.',
    ],
    [line({ status: { kind: 'code', code: 7 } }), 'Session 4711 ended after 2.5 s: exit code 7, run by /bin/sh.'],
    [line({ reason: 'signal', status: TERM }), 'Session 4711 ended after 2.5 s: signal SIGTERM, run by /bin/sh.'],
    [line({ reason: 'signal', status: KILL }), 'Session 4711 ended after 2.5 s: signal SIGKILL, run by /bin/sh.'],
    [line({}, {}, { command: undefined }), 'Session 4711 ended after 2.5 s: exit code 0.'],
    [
      line({ reason: 'terminatedByAgent', status: TERM }),
      'Session 4711 was ended by terminate_session after 2.5 s: signal SIGTERM.',
    ],
    [
      line({ reason: 'terminatedByAgent', status: { kind: 'code', code: 0 } }),
      'Session 4711 was ended by terminate_session after 2.5 s: exit code 0.',
    ],
    [
      line({ reason: 'terminatedByUser', status: KILL }),
      'Session 4711 was ended by the user after 2.5 s: signal SIGKILL (killed, because it had not ended 2000 ms after it was asked to).',
    ],
    [
      line({ reason: 'tabClosed', status: undefined }),
      'Session 4711 was closed by the user, who closed its terminal tab, after 2.5 s.',
    ],
    [
      line({ reason: 'tabClosed', status: TERM }),
      'Session 4711 was closed by the user, who closed its terminal tab, after 2.5 s: signal SIGTERM.',
    ],
    [
      line({ reason: 'shutdown', status: undefined }),
      'Session 4711 ended after 2.5 s because the window or server that ran it went away.',
    ],
  ])('tells each end apart: %s', (actual, expected) => {
    expect(actual).toBe(expected);
  });

  it('of a running session tells how to go on, in the same words that the tool takes', () => {
    const running = {
      info: { id: 5, command: 'cat', environment: HERE, isTerminal: true, startedAt: Date.now() },
      state: { kind: 'running' },
    };
    const onPipes = { ...running, info: { ...running.info, isTerminal: false } };

    const lines = [running, onPipes].map((one) => statusLine({ session: one as unknown as Session, news: NEWS }));

    expect(lines.map((text) => text.replace(/0\.\d\d s/, 'N s'))).toEqual([
      'Session 5 is still running after N s. To see what comes next, call write_stdin with session_id 5 and chars ""; to give it input, with chars.',
      'Session 5 is still running after N s. To see what comes next, call write_stdin with session_id 5 and chars "" (without a terminal it takes no input).',
    ]);
  });

  it('is one line that holds everything that the output lacks, each in a sentence of its own', () => {
    const news = {
      output: { text: '', totalBytes: 12_345, omittedBytes: 10_000, omittedLines: 1 },
      isScreen: false,
      maskedSecrets: 0,
      isHeldBack: false,
      isBlocked: true,
      waitingFor: 'none' as const,
      typedByUser: { bytes: 1, hasHidden: false, lines: [] },
      isGivenBack: false,
    };

    const text = line({}, { news, cutYieldMs: 600_000, isInputPending: true });

    expect(text).toBe(
      'Session 4711 ended after 2.5 s: exit code 0, run by /bin/sh. ' +
        'It was waited for 600000 ms, the longest that one call waits. ' +
        'The program has not read all of the input yet: the rest reaches it when it reads on. ' +
        'Omitted from its middle: 10,000 bytes with 1 line end, of 12,345 bytes of new output; read_output with session_id 4711 reads any of it. ' +
        'The user typed 1 byte into it meanwhile.',
    );
  });

  it('tells what the program waits for, and who should type', () => {
    const waiting = (['none', 'unknown', 'input', 'screen', 'hidden'] as const).map((waitingFor) => {
      const text = line({}, { news: { ...NEWS, waitingFor, isScreen: waitingFor === 'screen' } }, { isAttended: true });
      return text.replace('Session 4711 ended after 2.5 s: exit code 0, run by /bin/sh.', '').trim();
    });

    expect(waiting).toEqual([
      '',
      '',
      'It waits for input.',
      'The output above is the screen of a full-screen program. It waits for keys.',
      'It waits for input that it does not show, such as a password. The user types that into the terminal of session 4711, as the window tells them: wait for it with chars "". What you send is refused meanwhile; Ctrl-C "\\u0003" or Ctrl-D "\\u0004" alone leads out of it.',
    ]);
  });

  it('tells of a password that the user, who has taken over, will type', () => {
    const held = session({}, { isAttended: true }, 'user');

    expect(statusLine({ session: held, news: { ...NEWS, waitingFor: 'hidden' } })).toContain(
      'such as a password. The user has taken it over and works there alone: what you send is refused.',
    );
  });

  it('does not call a program that only listens one that waits', () => {
    const text = line({}, { news: { ...NEWS, waitingFor: 'input', isBlocked: false } });

    expect(text).toContain('It listens for input and is quiet: it waits for some, or for something else.');
  });

  it('tells of a pattern that was waited for whether it was printed', () => {
    const told = ([{ end: 'matched' }, { end: 'deadline' }, { end: 'patternTooSlow', message: 'Too slow.' }] as const).map(
      (waited) => line({}, { waited, hasPattern: true }).split('sh. ')[1],
    );

    expect(told).toEqual([
      'It has printed what wait_for asks for.',
      'It has not printed what wait_for asks for.',
      'Too slow.',
    ]);
  });

  it('tells of background processes what holds for a terminal and for pipes, but not when they were just ended', () => {
    const held = { isOutputHeld: true };

    expect([line(held), line(held, {}, { isTerminal: false }), line(held, { hadEnded: true })]).toEqual([
      expect.stringContaining('the system sent them a hang-up (SIGHUP)'),
      expect.stringContaining('Background processes that it started still run and hold its output'),
      'Session 4711 ended after 2.5 s: exit code 0, run by /bin/sh. It had ended before this call; whatever it left running in the background is ended now.',
    ]);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0.00 s'],
    [999, '1.00 s'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [60_000, '60 s'],
    [3_600_000, '3600 s'],
  ])('of %d ms reads %s', (ms, expected) => {
    expect(describeDuration(ms)).toBe(expected);
  });
});
