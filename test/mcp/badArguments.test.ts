import { describe, expect, it } from 'vitest';
import { startClient } from '../support/startClient';

const VALID = 'cmd, yield_time_ms, max_output_tokens, shell, login, workdir, env, tty, cols, rows, stdin, wait_for, title';

describe('bad arguments', () => {
  it.each([
    ['nothing', {}, ['cmd: missing, must be a string.']],
    ['a wrong type', { cmd: 5 }, ['cmd: must be a string, but was 5.']],
    ['a misspelt name', { cmd: 'true', yeild_time_ms: 5 }, [`unknown parameter "yeild_time_ms"; valid are ${VALID}.`]],
    ['a negative time', { cmd: 'true', yield_time_ms: -1 }, ['yield_time_ms: must be at least 0, but was -1.']],
    ['a fraction', { cmd: 'true', yield_time_ms: 0.5 }, ['yield_time_ms: must be an integer, but was 0.5.']],
    ['a number as text', { cmd: 'true', yield_time_ms: '5' }, ['yield_time_ms: must be a number, but was "5".']],
    ['no tokens', { cmd: 'true', max_output_tokens: 0 }, ['max_output_tokens: must be at least 1, but was 0.']],
    ['a terminal without width', { cmd: 'true', cols: 0 }, ['cols: must be at least 1, but was 0.']],
    ['a terminal too high', { cmd: 'true', rows: 65_536 }, ['rows: must be at most 65535, but was 65536.']],
    ['a list for the environment', { cmd: 'true', env: ['A=b'] }, ['env: must be an object, but was ["A=b"].']],
    ['a number in the environment', { cmd: 'true', env: { A: 1 } }, ['env.A: must be a string, but was 1.']],
    [
      'a name that holds a value',
      { cmd: 'true', env: { 'A=b': 'c' } },
      ['env.A=b: the name of a variable must not be empty nor contain "=" or NUL.'],
    ],
    [
      'a NUL in the command',
      { cmd: 'echo a\0b' },
      [
        'cmd: a NUL character is not allowed (at offset 6): the system would cut the text there. Write it as an escape such as \\0 in printf.',
      ],
    ],
    [
      'a pattern that is none',
      { cmd: 'true', wait_for: '(' },
      [
        "wait_for: Invalid regular expression: /(/u: Unterminated group. Patterns are regular expressions in JavaScript's syntax (flag u).",
      ],
    ],
    [
      'several faults',
      { cmd: false, tty: 'yes' },
      ['cmd: must be a string, but was false.', 'tty: must be a boolean, but was "yes".'],
    ],
  ])('are refused one by one, with what would be right: %s', async (_what, args, faults) => {
    const client = await startClient();

    const reply = await client.call('exec_command', args);

    expect(reply).toEqual({
      blocks: [['exec_command was not run, because of its arguments:', ...faults.map((fault) => `- ${fault}`)].join('\n')],
      status: reply.blocks[0],
      links: [],
      isError: true,
      structured: undefined,
    });
    expect(await client.list()).toEqual([]);
  });

  it('are refused by a tool without parameters too', async () => {
    const client = await startClient();

    const { isError, status } = await client.call('list_sessions', { all: true });

    expect({ isError, status }).toEqual({
      isError: true,
      status: 'list_sessions was not run, because of its arguments:\n- unknown parameter "all"; this tool has none.',
    });
  });

  it('may be absent where nothing is required', async () => {
    const { client } = await startClient();

    const { structuredContent } = await client.callTool({ name: 'list_sessions' });

    expect(structuredContent).toEqual({ sessions: [] });
  });

  it.each([['abc'], [-1], [1e99], [1.5], [null], [undefined]])(
    'that are no session id (%j) are answered with the ids that there are',
    async (sessionId) => {
      const client = await startClient();
      const { structured } = await client.exec('sleep 60', { yield_time_ms: 0 });

      const replies = [
        await client.call('write_stdin', { session_id: sessionId, chars: '' }),
        await client.call('terminate_session', { session_id: sessionId }),
      ];

      const expected = expect.stringMatching(
        new RegExp(
          `session_id: .*\nThese exist: ${String(structured.sessionId)} \\("sleep 60", running\\)\\. Details: list_sessions\\.$`,
        ),
      );
      expect(replies.map(({ isError, status }) => ({ isError, status }))).toEqual([
        { isError: true, status: expected },
        { isError: true, status: expected },
      ]);
    },
  );

  it('that quote something huge are cut in the answer', async () => {
    const client = await startClient();

    const { status } = await client.exec('true', { tty: 'x'.repeat(100_000) });

    expect(status.length).toBeLessThan(300);
  });
});

describe('a tool that does not exist', () => {
  it('is answered with the names of those that do', async () => {
    const client = await startClient();

    const reply = await client.call('exec_comand', { cmd: 'true' });

    expect(reply).toEqual({
      blocks: [
        'There is no tool "exec_comand". The tools are exec_command, write_stdin, read_output, list_sessions, terminate_session, resize_session.',
      ],
      status: reply.blocks[0],
      links: [],
      isError: true,
      structured: undefined,
    });
  });
});
