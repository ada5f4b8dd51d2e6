import { describe, expect, it } from 'vitest';
import { SessionText } from '../../src/session/text/sessionText';
import { NOTHING_TYPED, type TypedByUser, UserTyping } from '../../src/session/userTyping';

/** Types pieces, each shown by the output as given; `hidden` ones while the terminal shows nothing. */
function typed(pieces: readonly (readonly [typed: string, shown: string, isHidden?: 'hidden'])[]): TypedByUser {
  const text = new SessionText();
  text.push(Buffer.from('earlier line\n$ '));
  const typing = new UserTyping(text);
  for (const [keys, shown, isHidden] of pieces) {
    typing.note(Buffer.from(keys), isHidden === 'hidden');
    text.push(Buffer.from(shown));
  }
  return typing.since(NOTHING_TYPED);
}

describe('what the user typed is told', () => {
  it.each([
    ['as lines that the output shows', [['ls\r', 'ls\r\na b\r\n$ ']], ['ls']],
    [
      'key by key',
      [
        ['l', 'l'],
        ['s', 's'],
        ['\r', '\r\n'],
      ],
      ['ls'],
    ],
    [
      'in their order',
      [
        ['one\r', 'one\r\n$ '],
        ['two\r', 'two\r\n'],
      ],
      ['one', 'two'],
    ],
    ['as it was pasted', [['\u001b[200~a\rb\u001b[201~\r', 'a\r\n> b\r\n']], ['a', 'b']],
    ['as it was corrected', [['lx\u007fs\r', 'lx\b \bs\r\n']], ['ls']],
    ['without what was taken back', [['nonsense\u0015ls\r', 'ls\r\n']], ['ls']],
    ['beyond ASCII', [['größe 漢\r', 'größe 漢\r\n']], ['größe 漢']],
  ] as const)('%s', (_, pieces, lines) => {
    expect(typed(pieces).lines).toEqual(lines);
  });
});

describe('what the user typed is not told', () => {
  it.each([
    ['when the program draws stars for it', [['hunter2\r', '*******\r\n']]],
    ['when nothing is shown at all', [['hunter2\r', '\r\n']]],
    ['before the line is finished', [['e', 'e']]],
    ['when only older output shows it', [['earlier line\r', '\r\n']]],
    ['when keys changed it in a way that only the program knows', [['ec\tx\r', 'ecx\r\n']]],
    ['when the terminal did not show it, even if it is printed later', [['hunter2\r', '\r\nhunter2\r\n', 'hidden']]],
    [
      'when the terminal did not show a part of it',
      [
        ['hun', '', 'hidden'],
        ['ter2\r', 'ter2\r\nhunter2\r\n'],
      ],
    ],
  ] as const)('%s', (_, pieces) => {
    expect(typed(pieces).lines).toEqual([]);
  });
});

it('tells that hidden input was typed, and not even how long it is', () => {
  const [short, long] = [typed([['a\r', '\r\n', 'hidden']]), typed([['a'.repeat(99), '', 'hidden']])];

  expect([short, long]).toEqual(Array.from({ length: 2 }, () => ({ bytes: 0, hasHidden: true, lines: [] })));
});

it('goes on telling after hidden input', () => {
  expect(
    typed([
      ['hunter2\r', '\r\n$ ', 'hidden'],
      ['ls\r', 'ls\r\n'],
    ]),
  ).toEqual({ bytes: 3, hasHidden: true, lines: ['ls'] });
});

it('tells each thing once to whoever remembers what they were told', () => {
  const text = new SessionText();
  const typing = new UserTyping(text);
  typing.note(Buffer.from('one\r'), false);
  const { mark } = typing;
  typing.note(Buffer.from('two\r'), false);
  text.push(Buffer.from('one\r\ntwo\r\n'));

  expect([typing.since(mark), typing.since(typing.mark)]).toEqual([
    { bytes: 4, hasHidden: false, lines: ['two'] },
    { bytes: 0, hasHidden: false, lines: [] },
  ]);
});

it('finds lines again in an output that was too long to be kept whole', () => {
  const text = new SessionText();
  const typing = new UserTyping(text);
  for (const line of ['one', 'two', 'three']) {
    typing.note(Buffer.from(`${line}\r`), false);
    text.push(Buffer.from(`${line}\r\n`));
    text.push(Buffer.from('x'.repeat(99).concat('\r\n').repeat(12_000)));
  }

  expect(typing.since(NOTHING_TYPED).lines).toEqual(['one', 'three']);
});

it('remembers a bounded number of lines and counts the bytes of all', () => {
  const text = new SessionText();
  const typing = new UserTyping(text);
  for (let number = 0; number < 1_000; number++) {
    typing.note(Buffer.from(`${String(number)}\r`), false);
    text.push(Buffer.from(`${String(number)}\r\n`));
  }

  const { bytes, lines } = typing.since(NOTHING_TYPED);

  expect([bytes, lines.length, lines.at(-1)]).toEqual([3_890, 100, '999']);
});
