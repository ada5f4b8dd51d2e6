import { expect, it } from 'vitest';
import { problemOf } from '../support/readText';

/** Far more than any of these takes, far less than one of them takes that nothing stops. */
const PATIENCE_MS = 15_000;

const nested = (depth: number): string => `x = ${'['.repeat(depth)}${']'.repeat(depth)}`;

it.each([
  ['loops without end in sight', 'def f():\n  for i in range(100000):\n    for j in range(100000):\n      pass\nf()'],
  ['a list that doubles', 'x = [1]\nfor i in range(100):\n  x = x + x'],
  ['a string that doubles', 'x = "a"\nfor i in range(100):\n  x = x + x'],
  ['a list that is many times too long', 'x = [1] * 1000000000000'],
  ['a string that is many times too long', 'x = "ab" * 1000000000000'],
  ['a range that is many times too long', 'x = range(1000000000000)'],
  ['a number that squares', 'x = 10\nfor i in range(1000):\n  x = x * x'],
  ['a number of many digits', `x = ${'9'.repeat(100_000)}`],
  ['replacing by what is replaced', 'x = "aaaa"\nfor i in range(100):\n  x = x.replace("a", "aaaa")'],
  ['joining what was joined', 'x = "a"\nfor i in range(100):\n  x = x.join([x, x, x])'],
  ['formatting what was formatted', 'x = "a"\nfor i in range(100):\n  x = "%s%s%s" % (x, x, x)'],
  ['lists in lists, compared', 'a = [1]\nb = [1]\nfor i in range(60):\n  a = [a, a]\n  b = [b, b]\nx = a == b'],
  ['tuples in tuples, as a key', 'a = (1,)\nfor i in range(60):\n  a = (a, a)\nx = {a: 1}'],
  ['brackets in brackets', nested(5000)],
  ['brackets in brackets, more than a stack holds', nested(200_000)],
  ['a long sum', `x = 1${' + 1'.repeat(100_000)}`],
  ['many signs', `x = ${'-'.repeat(100_000)}1`],
  ['many calls in a row', `x = f${'()'.repeat(100_000)}`],
  ['blocks in blocks', Array.from({ length: 5000 }, (_, depth) => `${' '.repeat(depth)}if True:`).join('\n')],
  [
    'a list that holds itself twice',
    'a = []\nb = []\na.append(b)\nb.append(a)\nc = []\nd = []\nc.append(d)\nd.append(c)\nx = a == c',
  ],
  ['a very long file', '#'.repeat(2_000_000)],
])('ends %s with an error', { timeout: PATIENCE_MS }, (_, text) => {
  expect(problemOf(text)).toMatch(/^limit /);
});

it('writes a list that holds itself many times over', { timeout: PATIENCE_MS }, () => {
  const text = 'x = []\nfor i in range(20):\n  x.append(x)\nfail(x)';

  expect(problemOf(text)).toContain('...');
});
